package dev.lockstep.coretests;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.core.LockRequest.shared;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.Attempt;
import dev.lockstep.core.FencingToken;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.OrderViolationException;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreAround;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import dev.lockstep.testkit.FaultyStore;
import dev.lockstep.testkit.FaultyStore.Call;
import dev.lockstep.testkit.HungCall;
import dev.lockstep.testkit.Tenancy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Exclusive locks that become shared while they are held. */
@Timeout(300)
class DowngradeTest {
    private final MemoryStore store = MemoryStore.create();
    private final Locks locks =
            Locks.builder(store).defaultTerm(Duration.ofMinutes(5)).build();
    private final Locks others = Locks.builder(store).leaveStoreOpen().build();

    @AfterEach
    void close() {
        others.close();
        locks.close();
        assertThat(store.size()).isZero();
    }

    private boolean isGranted(LockRequest request) {
        Attempt attempt = others.tryAcquire(request);
        if (attempt instanceof Granted granted) {
            granted.close();
        }
        return attempt instanceof Granted;
    }

    @Test
    void aWaitingReaderIsGranted() {
        Lease lease = locks.acquire(exclusive(Tenancy.user("u1")));
        CompletableFuture<Lease> reader =
                others.acquireAsync(shared(Tenancy.user("u1")).withoutLimit());
        CompletableFuture<Lease> writer =
                others.acquireAsync(exclusive(Tenancy.user("u1")).withoutLimit());
        assertThat(lease.downgrade()).isEqualTo(LockMode.SHARED);
        reader.orTimeout(60, TimeUnit.SECONDS).join().close();
        assertThat(writer).isNotDone();
        lease.close();
        writer.orTimeout(60, TimeUnit.SECONDS).join().close();
    }

    @Test
    void theWholeAroundItMayBeShared() {
        try (Lease lease = locks.acquire(exclusive(Tenancy.resource("u1", "a1", "r1")))) {
            assertThat(lease.downgrade()).isEqualTo(LockMode.SHARED);
            assertThat(isGranted(shared(Tenancy.user("u1")))).isTrue();
            assertThat(isGranted(exclusive(Tenancy.account("u1", "a1")))).isFalse();
        }
        assertThat(isGranted(exclusive(Tenancy.user("u1")))).isTrue();
    }

    @Test
    void theWholeAroundItMayBeSharedAfterARequestForItWasRefused() {
        try (Lease lease = locks.acquire(exclusive(Tenancy.resource("u1", "a1", "r1")))) {
            assertThat(isGranted(shared(Tenancy.user("u1")))).isFalse(); // this puts the intents into the table
            assertThat(lease.downgrade()).isEqualTo(LockMode.SHARED);
            assertThat(isGranted(shared(Tenancy.user("u1")))).isTrue();
            assertThat(isGranted(exclusive(Tenancy.user("u1")))).isFalse();
        }
    }

    @Test
    void allLocksOfASetBecomeShared() {
        LockRequest request =
                exclusive(Tenancy.user("u1"), Tenancy.account("u2", "a1")).andShared(Tenancy.account("u3", "a1"));
        try (Lease lease = locks.acquire(request)) {
            FencingToken token = lease.token();
            assertThat(lease.downgrade()).isEqualTo(LockMode.SHARED);
            assertThat(lease.downgrade()).isEqualTo(LockMode.SHARED);
            assertThat(isGranted(shared(Tenancy.user("u1"), Tenancy.user("u2"), Tenancy.user("u3"))))
                    .isTrue();
            assertThat(isGranted(exclusive(Tenancy.user("u1")))).isFalse();
            assertThat(lease.token()).isEqualTo(token);
            lease.renew();
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void aNestedLeaseThatUsesTheLocksKeepsThemExclusive() {
        try (Lease lease = locks.acquire(exclusive(Tenancy.user("u1")))) {
            try (Lease nested = locks.acquire(exclusive(Tenancy.account("u1", "a1")))) {
                assertThat(lease.downgrade()).isEqualTo(LockMode.EXCLUSIVE);
                assertThat(nested.downgrade()).isEqualTo(LockMode.EXCLUSIVE);
                assertThat(isGranted(shared(Tenancy.user("u1")))).isFalse();
            }
            assertThat(lease.downgrade()).isEqualTo(LockMode.SHARED);
        }
    }

    @Test
    void aDowngradedLeaseCoversOnlySharedRequests() {
        try (Lease lease = locks.acquire(exclusive(Tenancy.user("u1")))) {
            assertThat(lease.downgrade()).isEqualTo(LockMode.SHARED);
            locks.acquire(shared(Tenancy.account("u1", "a1"))).close();
            assertThatThrownBy(() -> locks.acquire(exclusive(Tenancy.user("u1"))))
                    .isInstanceOf(OrderViolationException.class);
        }
    }

    @Test
    void aStoreThatCantLeavesTheLocksExclusive() {
        StoreAround without = new StoreAround(store) {
            @Override
            public StoreAnswer acquire(StoreRequest request) throws InterruptedException {
                return store.acquire(request);
            }

            @Override
            public boolean canDowngrade() {
                return false;
            }

            @Override
            public void downgrade(StoreGrant grant) {
                throw new AssertionError("The store said that it can't");
            }

            @Override
            public List<StoreGrant> renew(List<Renewal> renewals) {
                return store.renew(renewals);
            }

            @Override
            public boolean release(StoreGrant grant) {
                return store.release(grant);
            }
        };
        try (Locks unable = Locks.builder(without).leaveStoreOpen().build();
                Lease lease = unable.acquire(exclusive(Tenancy.user("u1")))) {
            assertThat(lease.downgrade()).isEqualTo(LockMode.EXCLUSIVE);
            assertThat(isGranted(shared(Tenancy.user("u1")))).isFalse();
            unable.acquire(exclusive(Tenancy.user("u1"))).close(); // it still covers this
        }
    }

    @Test
    void aFailureLeavesThemCountedAsSharedUntilItIsTriedAgain() {
        FaultyStore faulty = FaultyStore.around(store);
        try (Locks unsure = Locks.builder(faulty).leaveStoreOpen().build();
                Lease lease = unsure.acquire(exclusive(Tenancy.user("u1")))) {
            faulty.failNext(Call.DOWNGRADE, 1);
            assertThatThrownBy(lease::downgrade).isInstanceOf(LockException.class);
            assertThat(lease.isHeld()).isTrue();
            assertThatThrownBy(() -> unsure.acquire(exclusive(Tenancy.user("u1"))))
                    .as("the store may have made them shared")
                    .isInstanceOf(OrderViolationException.class);
            assertThat(lease.downgrade()).isEqualTo(LockMode.SHARED);
            assertThat(isGranted(shared(Tenancy.user("u1")))).isTrue();
        }
    }

    @Test
    void twoCallsAtATimeBothMakeThemShared() {
        FaultyStore faulty = FaultyStore.around(store);
        try (Locks slow = Locks.builder(faulty).leaveStoreOpen().build();
                Lease lease = slow.acquire(exclusive(Tenancy.user("u1")).forTerm(Duration.ofMinutes(5)))) {
            HungCall hung = faulty.hangNext(Call.DOWNGRADE);
            CompletableFuture<LockMode> first = CompletableFuture.supplyAsync(lease::downgrade);
            hung.awaitReached();
            assertThat(lease.downgrade()).isEqualTo(LockMode.SHARED);
            assertThat(isGranted(shared(Tenancy.user("u1")))).isTrue();
            lease.bind(() -> slow.acquire(shared(Tenancy.user("u1"))).close()).run();
            hung.letGo();
            assertThat(first.orTimeout(60, TimeUnit.SECONDS).join()).isEqualTo(LockMode.SHARED);
            assertThat(isGranted(shared(Tenancy.user("u1")))).isTrue();
        }
    }
}
