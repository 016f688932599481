package dev.lockstep.coretests;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockEvent;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.core.Loss;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.testkit.EventProbe;
import dev.lockstep.testkit.Tenancy;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What listeners see is what happened, in the order in which it happened to each key. */
@Timeout(300)
class EventOrderTest extends LeaseStage {
    private static final int TIMES = 2_000;

    @Test
    void exclusiveHoldersNeverOverlap() {
        LockKey key = Tenancy.user("busy");
        Set<UUID> holders = new HashSet<>();
        AtomicInteger overlaps = new AtomicInteger();
        AtomicInteger releases = new AtomicInteger();
        try (Locks inMemory = Locks.inMemory()) {
            inMemory.subscribe(event -> {
                if (event instanceof LockEvent.Acquired acquired) {
                    holders.add(acquired.subject().leaseId());
                    overlaps.addAndGet(holders.size() > 1 ? 1 : 0);
                } else if (event instanceof LockEvent.Released released) {
                    holders.remove(released.subject().leaseId());
                    releases.incrementAndGet();
                }
            });
            CompletableFuture<Void> one = CompletableFuture.runAsync(() -> use(inMemory, key));
            CompletableFuture<Void> two = CompletableFuture.runAsync(() -> use(inMemory, key));
            CompletableFuture.allOf(one, two).join();
            await().until(() -> releases.get() == 2 * TIMES);
        }
        assertThat(overlaps).hasValue(0);
    }

    private static void use(Locks locks, LockKey key) {
        for (int i = 0; i < TIMES; i++) {
            locks.run(exclusive(key).within(Duration.ofMinutes(2)), lease -> {});
        }
    }

    @Test
    void leaseThatTheStoreForgotIsLostAtItsRelease() {
        Lease lease = renewed();
        store.forgetAll();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.LOST);
        assertThat(probe.await(LockEvent.Lost.class).loss().reason()).isEqualTo(Loss.Reason.REFUSED);
    }

    @Test
    void nestedLeaseWhoseLockTheStoreForgotIsLostAtItsRelease() {
        Lease outer = renewed();
        Lease inner = locks.acquire(exclusive(KEY));
        assertThat(outer.release()).isEqualTo(ReleaseOutcome.RELEASED);
        store.forgetAll();
        assertThat(inner.release()).isEqualTo(ReleaseOutcome.LOST);
    }

    @Test
    void requestThatDoesNotWaitIsRefusedAndHasNotTimedOut() {
        Lease held = other.acquire(exclusive(KEY));
        locks.tryAcquire(exclusive(KEY));
        EventProbe refused = probe;
        assertThat(refused.await(LockEvent.Refused.class).busy().key()).isEqualTo(KEY);
        assertThat(refused.ofType(LockEvent.TimedOut.class)).isEmpty();
        held.close();
    }
}
