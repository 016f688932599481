package dev.lockstep.core.memory;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.Locks;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A release whose thread fails, for example because its stack is used up, while it lets in the next ones. */
@Timeout(300)
class FailedReleaseTest {
    private static final int WAITERS = 5_000;
    private static final LockKey KEY = LockKind.of("order", 1).key("1");

    private final FailingClock clock = new FailingClock();
    private final MemoryStore store = MemoryStore.on(clock);

    @Test
    void waitersAreAnsweredAllTheSame() throws Exception {
        try (Locks locks = Locks.on(store)) {
            Lease held = locks.acquire(exclusive(KEY));
            List<CompletableFuture<Lease>> waiters = Stream.generate(
                            () -> locks.acquireAsync(exclusive(KEY).withoutLimit()))
                    .limit(WAITERS)
                    .toList();
            clock.failing = Thread.currentThread();
            held.release();
            clock.failing = null;
            for (CompletableFuture<Lease> waiter : waiters) {
                assertThatThrownBy(() -> waiter.get(60, TimeUnit.SECONDS))
                        .isInstanceOf(ExecutionException.class)
                        .hasRootCauseInstanceOf(StackOverflowError.class)
                        .cause()
                        .isInstanceOfSatisfying(
                                LockException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_FAILED));
            }
            locks.acquire(exclusive(KEY)).close();
            assertThat(store.size()).isZero();
        }
    }

    /** Fails where a release lets in a waiter, on one thread. */
    private static final class FailingClock implements LockClock {
        volatile Thread failing;

        @Override
        public long nanos() {
            if (Thread.currentThread() == failing && isGranting()) {
                throw new StackOverflowError("on purpose");
            }
            return System.nanoTime();
        }

        private static boolean isGranting() {
            return StackWalker.getInstance()
                    .walk(frames ->
                            frames.anyMatch(frame -> frame.getMethodName().equals("grantAfterWait")));
        }

        @Override
        public void park(Object blocker, long nanos) {
            LockSupport.parkNanos(blocker, nanos);
        }

        @Override
        public long millis() {
            return System.currentTimeMillis();
        }
    }
}
