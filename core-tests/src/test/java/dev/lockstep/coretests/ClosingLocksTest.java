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
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.testkit.EventProbe;
import dev.lockstep.testkit.FakeClock;
import dev.lockstep.testkit.Tenancy;
import java.time.Duration;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Closed locks leave nothing behind in a store that stays open, whatever was under way, unless they were told to. */
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

    /** Leaves both leases to the one who closes the locks. */
    private static Lease nest(Locks locks) {
        locks.acquire(exclusive(OUTER));
        return locks.acquire(exclusive(OUTER, INNER));
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
        locks.acquire(exclusive(INNER));
        locks.close();
        assertThat(rest.tryAcquire(exclusive(OUTER))).isInstanceOf(Busy.class);
        assertThat(rest.tryAcquire(exclusive(INNER)))
                .isInstanceOfSatisfying(
                        Granted.class, granted -> granted.lease().close());
        clock.advance(Duration.ofMinutes(1));
        assertThat(rest.tryAcquire(exclusive(OUTER))).isInstanceOf(Granted.class);
        rest.close();
    }

    @Test
    void otherwiseTheyEndWithTheLocks() {
        Locks locks = locksOnTheStore();
        locks.acquire(exclusive(OUTER).forTerm(Duration.ofMinutes(1)));
        locks.close();
        assertThat(store.size()).isZero();
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
