package dev.lockstep.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.CallSite;
import dev.lockstep.core.DeadlockReport;
import dev.lockstep.core.Estate;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreDeadlock;
import dev.lockstep.core.spi.StoreGrant;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A request that has to wait records its call site before others can find it in a cycle. */
@Timeout(120)
class DeadlockCallSiteTest {
    private static final Duration AGES = Duration.ofDays(1);
    private static final CallSite SITE = new CallSite(new StackTraceElement("Shop", "pay", "Shop.java", 7));
    private static final LockKey A = Estate.ITEM.key("a");
    private static final LockKey B = Estate.ITEM.key("b");

    private final MovedClock clock = new MovedClock();
    private final MemoryStore store = MemoryStore.on(clock);

    /** A request that does something else just before its call site is recorded. */
    private final class Recording extends Asking {
        private final Runnable before;
        private volatile Optional<CallSite> site = Optional.empty();

        Recording(int number, LockKey key, StoreGrant outer, Runnable before) {
            super(clock, number, number % 2, LockRequest.exclusive(key), AGES, AGES, List.of(outer));
            this.before = before;
        }

        @Override
        public void contended() {
            before.run();
            site = Optional.of(SITE);
        }

        @Override
        public Optional<CallSite> callSite() {
            return site;
        }
    }

    private StoreGrant taken(int number, LockKey key) throws InterruptedException {
        return (StoreGrant) store.acquire(
                new Asking(clock, number, number % 2, LockRequest.exclusive(key), Duration.ZERO, AGES, List.of()));
    }

    private FutureTask<StoreAnswer> started(Asking asking) {
        FutureTask<StoreAnswer> task = new FutureTask<>(() -> store.acquire(asking));
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        while (!task.isDone() && !clock.isParked(thread)) {
            Thread.onSpinWait();
        }
        return task;
    }

    private static void requireCallSites(StoreAnswer one, StoreAnswer other) {
        DeadlockReport report = ((StoreDeadlock) (one instanceof StoreDeadlock ? one : other)).report();
        assertThat(report.cycle())
                .hasSize(2)
                .allSatisfy(member -> assertThat(member.callSite()).isPresent());
    }

    @Test
    void aThreadThatWaits() throws Exception {
        StoreGrant a = taken(1, A);
        StoreGrant b = taken(2, B);
        CompletableFuture<FutureTask<StoreAnswer>> other = new CompletableFuture<>();
        Asking forth = new Recording(3, B, a, () -> other.complete(started(new Recording(4, A, b, () -> {}))));
        FutureTask<StoreAnswer> first = started(forth);
        requireOneDeadlock(first, other.get(60, TimeUnit.SECONDS), a, b);
    }

    @Test
    void aRequestWithoutAThread() throws Exception {
        StoreGrant a = taken(1, A);
        StoreGrant b = taken(2, B);
        CompletableFuture<FutureTask<StoreAnswer>> other = new CompletableFuture<>();
        Asking forth = new Recording(3, B, a, () -> other.complete(started(new Recording(4, A, b, () -> {}))));
        CompletableFuture<StoreAnswer> first = store.acquireAsync(forth, Runnable::run);
        requireOneDeadlock(first, other.get(60, TimeUnit.SECONDS), a, b);
    }

    private void requireOneDeadlock(Future<StoreAnswer> first, Future<StoreAnswer> second, StoreGrant a, StoreGrant b)
            throws Exception {
        while (!first.isDone() && !second.isDone()) {
            Thread.onSpinWait();
        }
        if (first.isDone() && first.get() instanceof StoreDeadlock) {
            store.release(a);
        } else {
            store.release(b);
        }
        requireCallSites(first.get(60, TimeUnit.SECONDS), second.get(60, TimeUnit.SECONDS));
    }
}
