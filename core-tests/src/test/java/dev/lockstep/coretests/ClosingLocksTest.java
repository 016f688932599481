package dev.lockstep.coretests;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Busy;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.Locks;
import dev.lockstep.core.Loss;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.testkit.EventProbe;
import dev.lockstep.testkit.FakeClock;
import dev.lockstep.testkit.FaultyStore;
import dev.lockstep.testkit.HungCall;
import dev.lockstep.testkit.Tenancy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Closed Locks end what waits, end what is held as lost, and release nothing whose work may still run. */
@Timeout(300)
class ClosingLocksTest {
    private static final int ROUNDS = 200;
    private static final LockKey OUTER = Tenancy.user("u1");
    private static final LockKey INNER = new Job().key("j1");
    private static final Executor NEW_THREAD = task -> new Thread(task, "nesting").start();

    private record Job() implements LockKind {
        @Override
        public String prefix() {
            return "job";
        }

        @Override
        public int rank() {
            return 9;
        }
    }

    private final MemoryStore store = MemoryStore.create();
    private final Locks others = locksOnTheStore();

    private Locks locksOnTheStore() {
        return Locks.builder(store)
                .defaultWait(Duration.ofMinutes(5))
                .defaultTerm(Duration.ofMinutes(10))
                .leaveStoreOpen()
                .build();
    }

    @Test
    void nestedRequestThatIsJustBeingGrantedLeavesNothingHeld() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            long micros = (round % 40 - 20) * 2L;
            raceGrantWithClose(TimeUnit.MICROSECONDS.toNanos(micros));
        }
    }

    /** Closes the locks so much after the grant or, when it is negative, before it. */
    private void raceGrantWithClose(long lag) throws Exception {
        Locks locks = locksOnTheStore();
        Lease blocker = others.acquire(exclusive(INNER));
        CompletableFuture<Lease> nested = CompletableFuture.supplyAsync(() -> nest(locks), NEW_THREAD);
        await().pollInterval(Duration.ofMillis(1))
                .until(() -> store.snapshot().waiters().size() == 1);
        CyclicBarrier start = new CyclicBarrier(2);
        CompletableFuture<Void> granting = CompletableFuture.runAsync(
                () -> {
                    meet(start);
                    spin(-lag);
                    blocker.close();
                },
                NEW_THREAD);
        meet(start);
        spin(lag);
        locks.close();
        granting.get(60, TimeUnit.SECONDS);
        assertThat(isRefusedOrOver(nested)).isTrue();
        await().pollInterval(Duration.ofMillis(1)).until(() -> store.size() == 0);
    }

    private static Lease nest(Locks locks) {
        try (Lease outer = locks.acquire(exclusive(OUTER));
                Lease inner = locks.acquire(exclusive(OUTER, INNER))) {
            return outer.isHeld() ? inner : outer;
        }
    }

    private static boolean isRefusedOrOver(CompletableFuture<Lease> nested) {
        try {
            return !nested.orTimeout(60, TimeUnit.SECONDS).join().isHeld();
        } catch (CompletionException e) {
            return e.getCause() instanceof LockException refused && refused.code() == ErrorCode.CLOSED;
        }
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new AssertionError("The race didn't start", e);
        }
    }

    private static void spin(long nanos) {
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void leasesWithATermOfTheirOwnMayBeLeftToIt() {
        FakeClock clock = new FakeClock();
        MemoryStore shared = MemoryStore.on(clock);
        Locks rest = Locks.on(shared);
        Locks locks =
                Locks.builder(shared).leaveStoreOpen().leaveLeasesToTheirTerms().build();
        locks.acquire(exclusive(OUTER).forTerm(Duration.ofMinutes(1)));
        Lease renewed = locks.acquire(exclusive(INNER));
        locks.close();
        renewed.close();
        assertThat(rest.tryAcquire(exclusive(OUTER))).isInstanceOf(Busy.class);
        assertThat(rest.tryAcquire(exclusive(INNER)))
                .isInstanceOfSatisfying(
                        Granted.class, granted -> granted.lease().close());
        clock.advance(Duration.ofMinutes(1));
        assertThat(rest.tryAcquire(exclusive(OUTER))).isInstanceOf(Granted.class);
        rest.close();
    }

    @Test
    void leaseThatIsHeldIsLostButItsLocksStayUntilItsHolderClosesIt() {
        Locks locks = locksOnTheStore();
        Lease lease = locks.acquire(exclusive(OUTER).interruptOnLoss());
        CompletableFuture<Loss> lost = lease.lost().toCompletableFuture();
        locks.close();
        assertThat(lost.orTimeout(60, TimeUnit.SECONDS).join().reason()).isEqualTo(Loss.Reason.SHUT_DOWN);
        assertThat(lease.isHeld()).isFalse();
        await().until(Thread.currentThread()::isInterrupted);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(others.tryAcquire(exclusive(OUTER))).isInstanceOf(Busy.class);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.LOST);
        assertThat(store.size()).isZero();
    }

    @Test
    void locksOfALeaseThatIsNeverClosedStayUntilItsTermEnds() {
        FakeClock clock = new FakeClock();
        MemoryStore shared = MemoryStore.on(clock);
        Locks rest = Locks.on(shared);
        Locks locks = Locks.builder(shared).leaveStoreOpen().build();
        locks.acquire(exclusive(OUTER));
        locks.close();
        clock.advance(Duration.ofMillis(9_950));
        assertThat(rest.tryAcquire(exclusive(OUTER))).isInstanceOf(Busy.class);
        clock.advance(Duration.ofMillis(50));
        assertThat(rest.tryAcquire(exclusive(OUTER))).isInstanceOf(Granted.class);
        rest.close();
    }

    @Test
    void storeIsClosedAfterTheLastLease() {
        Locks locks = Locks.on(store);
        Lease lease = locks.acquire(exclusive(OUTER));
        locks.close();
        assertThat(others.tryAcquire(exclusive(INNER))).isInstanceOf(Granted.class);
        lease.close();
        await().untilAsserted(() -> assertThatThrownBy(() -> others.tryAcquire(exclusive(INNER)))
                .isInstanceOfSatisfying(
                        LockException.class, error -> assertThat(error.code()).isEqualTo(ErrorCode.CLOSED)));
    }

    @Test
    void storeIsClosedWhenTheTermOfALeaseThatIsNeverClosedEnds() {
        FakeClock clock = new FakeClock();
        MemoryStore shared = MemoryStore.on(clock);
        Locks locks = Locks.on(shared);
        Locks rest = Locks.builder(shared).leaveStoreOpen().build();
        locks.acquire(exclusive(OUTER));
        locks.close();
        assertThat(rest.tryAcquire(exclusive(INNER))).isInstanceOf(Granted.class);
        clock.advance(Duration.ofSeconds(10));
        await().untilAsserted(() ->
                assertThatThrownBy(() -> rest.tryAcquire(exclusive(INNER))).isInstanceOf(LockException.class));
    }

    @Test
    void storeIsNotClosedUnderAReleaseThatIsUnderWay() {
        FaultyStore slow = FaultyStore.around(store);
        Locks locks = Locks.on(slow);
        Lease lease = locks.acquire(exclusive(OUTER));
        HungCall hung = slow.hangNext(FaultyStore.Call.RELEASE);
        CompletableFuture<ReleaseOutcome> releasing = CompletableFuture.supplyAsync(lease::release, NEW_THREAD);
        hung.awaitReached();
        CompletableFuture<Void> closing =
                CompletableFuture.runAsync(() -> locks.close(Duration.ofMillis(50)), NEW_THREAD);
        closing.orTimeout(60, TimeUnit.SECONDS).join();
        hung.letGo();
        assertThat(releasing.orTimeout(60, TimeUnit.SECONDS).join()).isEqualTo(ReleaseOutcome.RELEASED);
        await().untilAsserted(() ->
                assertThatThrownBy(() -> others.tryAcquire(exclusive(INNER))).isInstanceOf(LockException.class));
    }

    @Test
    void leasesHaveTimeToEnd() {
        Locks locks = locksOnTheStore();
        Lease lease = locks.acquire(exclusive(OUTER));
        CompletableFuture<Void> closing =
                CompletableFuture.runAsync(() -> locks.close(Duration.ofMinutes(2)), NEW_THREAD);
        await().untilAsserted(() ->
                assertThatThrownBy(() -> locks.tryAcquire(exclusive(INNER))).isInstanceOf(LockException.class));
        assertThat(lease.isHeld()).isTrue();
        assertThat(closing).isNotDone();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        closing.orTimeout(60, TimeUnit.SECONDS).join();
    }

    @Test
    void anyNumberOfWaitersEnds() {
        Locks locks = locksOnTheStore();
        Lease held = locks.acquire(exclusive(INNER));
        Lease parent = locks.acquireAsync(exclusive(OUTER)).join();
        List<CompletableFuture<Lease>> waiters = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            waiters.add(i % 2 == 0 ? locks.acquireAsync(exclusive(INNER)) : parent.acquireAsync(exclusive(INNER)));
        }
        locks.close();
        held.close();
        parent.close();
        for (CompletableFuture<Lease> waiter : waiters) {
            assertThatThrownBy(() -> waiter.orTimeout(60, TimeUnit.SECONDS).join())
                    .hasCauseInstanceOf(LockException.class)
                    .hasMessageContaining("closed");
        }
        await().until(() -> store.size() == 0);
    }

    @Test
    void closedLocksRefuseListeners() {
        Locks locks = locksOnTheStore();
        locks.close();
        assertThatThrownBy(() -> locks.subscribe(new EventProbe()))
                .isInstanceOfSatisfying(
                        LockException.class, error -> assertThat(error.code()).isEqualTo(ErrorCode.CLOSED));
    }
}
