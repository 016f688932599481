package dev.lockstep.coretests;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.core.LockRequest.shared;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.LockEvent;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.core.Loss;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.testkit.EventProbe;
import dev.lockstep.testkit.FakeClock;
import dev.lockstep.testkit.Tenancy;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nobody's slow code holds up the news of another lease's loss, and the news never comes to the wrong place. */
@Timeout(300)
class LossSignalTest {
    private static final LockKey KEY = Tenancy.user("u1");
    private static final Duration TERM = Duration.ofSeconds(10);
    private static final int MORE_THAN_THREADS = 20; // that run what users attach
    private static final Executor NEW_THREAD = task -> new Thread(task, "worker").start();

    private final FakeClock clock = new FakeClock();
    private final EventProbe probe = new EventProbe();
    private final Locks locks =
            Locks.builder(MemoryStore.on(clock)).listener(probe).build();
    private final CountDownLatch letGo = new CountDownLatch(1);

    @AfterEach
    void close() {
        letGo.countDown();
        locks.close();
    }

    private void block() {
        try {
            letGo.await();
        } catch (InterruptedException e) {
            throw new AssertionError("Nobody should interrupt this", e);
        }
    }

    private Lease fixed(String user, Duration term) {
        return locks.acquireAsync(exclusive(Tenancy.user(user)).forTerm(term)).join();
    }

    private static Loss.Reason reasonOf(CompletionStage<Loss> lost) {
        return lost.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join().reason();
    }

    // ---- what may not hold it up

    /** A channel that takes its time to close, as one does that flushes first. */
    private final class SlowChannel extends AbstractInterruptibleChannel {
        final CountDownLatch reading = new CountDownLatch(1);
        final CountDownLatch closing = new CountDownLatch(1);

        /** Blocks as in the operating system: an interrupt alone doesn't end it, only the close that comes with it. */
        void read() throws ClosedByInterruptException {
            begin();
            reading.countDown();
            while (closing.getCount() > 0) {
                Thread.onSpinWait();
            }
            Thread.currentThread().interrupt();
            endOfRead();
        }

        private void endOfRead() throws ClosedByInterruptException {
            try {
                end(false);
            } catch (ClosedByInterruptException e) {
                throw e;
            } catch (AsynchronousCloseException e) {
                throw new AssertionError("Closed by someone else", e);
            }
        }

        @Override
        protected void implCloseChannel() {
            closing.countDown();
            block();
        }
    }

    @Test
    void interruptThatBlocksHoldsUpNoOtherSignal() throws Exception {
        SlowChannel channel = new SlowChannel();
        CompletableFuture<Lease> taken = new CompletableFuture<>();
        CompletableFuture<Boolean> interrupted = CompletableFuture.supplyAsync(
                () -> {
                    taken.complete(locks.acquire(exclusive(KEY).forTerm(TERM).interruptOnLoss()));
                    return isInterruptedReading(channel);
                },
                NEW_THREAD);
        assertThat(channel.reading.await(60, TimeUnit.SECONDS)).isTrue();
        CompletionStage<Loss> lostWithIt = fixed("u2", TERM).lost();
        CompletionStage<Loss> lostLater = fixed("u3", TERM.multipliedBy(2)).lost();
        clock.advance(TERM);
        assertThat(channel.closing.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(reasonOf(lostWithIt)).isEqualTo(Loss.Reason.EXPIRED);
        clock.advance(TERM);
        assertThat(reasonOf(lostLater)).isEqualTo(Loss.Reason.EXPIRED);
        assertThat(taken.join().isHeld()).isFalse();
        assertThat(interrupted).isNotDone();
        letGo.countDown();
        assertThat(interrupted.get(60, TimeUnit.SECONDS)).isTrue();
    }

    private static boolean isInterruptedReading(SlowChannel channel) {
        try {
            channel.read();
            return false;
        } catch (ClosedByInterruptException e) {
            return Thread.currentThread().isInterrupted();
        }
    }

    @Test
    void blockingContinuationsOfAsyncRequestsHoldUpNoSignal() {
        Lease gate = locks.acquireAsync(exclusive(KEY)).join();
        AtomicInteger blocked = new AtomicInteger();
        List<CompletableFuture<Void>> continuations = new ArrayList<>();
        for (int i = 0; i < MORE_THAN_THREADS; i++) {
            continuations.add(
                    locks.acquireAsync(shared(KEY).within(Duration.ofHours(1))).thenAccept(lease -> {
                        blocked.incrementAndGet();
                        block();
                    }));
        }
        CompletionStage<Loss> lost = fixed("u2", TERM).lost();
        gate.close();
        await().until(() -> blocked.get() > 0);
        clock.advance(TERM);
        assertThat(reasonOf(lost)).isEqualTo(Loss.Reason.EXPIRED);
        assertThat(continuations).noneMatch(CompletableFuture::isDone);
    }

    // ---- interrupts

    /** The others keep all threads busy that tell of losses, so that the interrupt can only come after the close. */
    @Test
    void interruptThatIsLateNeverComesAfterClose() {
        for (int i = 0; i < MORE_THAN_THREADS; i++) {
            CompletionStage<Void> unused = fixed("busy" + i, TERM).lost().thenAccept(loss -> block());
        }
        Lease lease = locks.acquire(exclusive(KEY).forTerm(TERM.multipliedBy(2)).interruptOnLoss());
        CompletionStage<Loss> told = lease.lost();
        clock.advance(TERM);
        probe.awaitCount(LockEvent.Lost.class, MORE_THAN_THREADS);
        clock.advance(TERM);
        probe.awaitCount(LockEvent.Lost.class, MORE_THAN_THREADS + 1);
        lease.close();
        Thread.interrupted(); // one that came before the close is fine
        letGo.countDown();
        assertThat(reasonOf(told)).isEqualTo(Loss.Reason.EXPIRED);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void asyncRequestCannotAskForAnInterrupt() {
        assertThatThrownBy(() -> locks.acquireAsync(exclusive(KEY).interruptOnLoss()))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("lost()");
        assertThat(locks.snapshot().isEmpty()).isTrue();
    }

    // ---- what it says

    @Test
    void closedLeaseSaysThatItWasClosed() {
        Lease lease = locks.acquire(exclusive(KEY));
        lease.close();
        clock.advance(TERM.multipliedBy(2));
        assertThatThrownBy(lease::ensureHeld)
                .isInstanceOfSatisfying(
                        LeaseLostException.class,
                        error -> assertThat(error.loss().reason()).isEqualTo(Loss.Reason.CLOSED));
    }
}
