package dev.lockstep.testkit;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.testkit.Named.CHARACTER;
import static dev.lockstep.testkit.Scenario.refused;
import static dev.lockstep.testkit.Scenario.take;
import static dev.lockstep.testkit.Tenancy.account;
import static dev.lockstep.testkit.Tenancy.resource;
import static dev.lockstep.testkit.Tenancy.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Blocker;
import dev.lockstep.core.Busy;
import dev.lockstep.core.HeldLock;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.LockTimeoutException;
import dev.lockstep.core.WaitingLock;
import dev.lockstep.core.spi.StoreTrait;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a snapshot shows of holders and waiters. */
interface SnapshotContract extends Scenario {
    /** Why a store that can't see other processes skips. */
    String PARTIAL = "holders and waiters of other processes may be missing";

    /** How far a server's clock may be ahead of the tests'. */
    Duration CLOCKS_DIFFER = Duration.ofSeconds(5);

    @Test
    @DisplayName("the snapshot of an idle store is empty")
    default void idleStoreIsEmpty() {
        assertThat(locks().snapshot().isEmpty()).isTrue();
        take(locks(), exclusive(resource("u1", "a1", "r1"))).close();
        assertThat(locks().snapshot().isEmpty()).isTrue();
    }

    @Test
    @DisplayName("the snapshot shows a holder with its owner, mode, time and call site")
    default void snapshotShowsHolders() {
        Lease lease = take(locks(), exclusive(resource("u1", "a1", "r1")).as("holder"));
        LockSnapshot snapshot = locks().snapshot();
        assertThat(snapshot.waiters()).isEmpty();
        HeldLock held = holderOf(snapshot, resource("u1", "a1", "r1"));
        assertThat(held.mode()).isEqualTo(LockMode.EXCLUSIVE);
        assertThat(held.owner()).isEqualTo("holder");
        assertThat(held.leaseId()).isEqualTo(lease.id());
        assertThat(held.callSite())
                .hasValueSatisfying(site -> assertThat(site.toString()).contains("Scenario.take"));
        checkRecent(held.since());
        lease.close();
    }

    @Test
    @DisplayName("the snapshot shows when a lease ends, and a renewal moves it")
    default void snapshotTellsTheEnd() {
        LockKey key = CHARACTER.key("A");
        long start = moment();
        Lease lease = take(locks(), exclusive(key).forTerm(longTerm()));
        Instant granted = stage().now();
        during(longTerm(), start, () -> {
            Instant end = endOf(key);
            assertThat(end).isBetween(granted, granted.plus(longTerm()).plus(CLOCKS_DIFFER));
            lease.renew(longTerm().multipliedBy(3));
            assertThat(endOf(key)).isAfter(end.plus(longTerm()));
        });
        lease.close();
    }

    private Instant endOf(LockKey key) {
        return holderOf(locks().snapshot(), key).expiresAt().orElseThrow();
    }

    private static HeldLock holderOf(LockSnapshot snapshot, LockKey key) {
        return snapshot.holders().stream()
                .filter(held -> held.key().equals(key))
                .findFirst()
                .orElseThrow(() -> new AssertionError("There is no holder of " + key + " in " + snapshot));
    }

    /** Recent on the clocks of this stage. */
    private void checkRecent(Instant since) {
        Instant now = stage().now();
        assertThat(since).isBetween(now.minus(Duration.ofMinutes(1)), now.plus(CLOCKS_DIFFER));
    }

    @Test
    @DisplayName("the snapshot shows the intents on the ancestors")
    default void snapshotShowsIntents() {
        needsStoreWithout(StoreTrait.TWO_MODES, "intents are held as shared locks");
        Lease lease = take(locks(), exclusive(resource("u1", "a1", "r1")));
        LockSnapshot snapshot = locks().snapshot();
        assertThat(holderOf(snapshot, user("u1")).mode()).isEqualTo(LockMode.INTENT_EXCLUSIVE);
        assertThat(holderOf(snapshot, account("u1", "a1")).mode()).isEqualTo(LockMode.INTENT_EXCLUSIVE);
        lease.close();
    }

    @Test
    @DisplayName("the snapshot shows a waiter with its owner, time, call site, and whom it waits for")
    default void snapshotShowsWaiters() {
        Lease lease = take(locks(), exclusive(CHARACTER.key("A")).as("holder"));
        Task<Lease> first = startAcquire("first", locks(), exclusive(CHARACTER.key("A")));
        stage().awaitWaiting(first);
        Task<Lease> second = startAcquire("second", locks(), exclusive(CHARACTER.key("A")));
        stage().awaitWaiting(second);
        WaitingLock waiter = waiter("second");
        assertThat(waiter.key()).isEqualTo(CHARACTER.key("A"));
        assertThat(waiter.mode()).isEqualTo(LockMode.EXCLUSIVE);
        assertThat(waiter.callSite())
                .hasValueSatisfying(site -> assertThat(site.toString()).contains("Scenario"));
        checkRecent(waiter.since());
        assertThat(waiter.blockedBy())
                .anySatisfy(blocker -> assertThat(blocker.leaseId()).isEqualTo(lease.id()))
                .filteredOn(blocker -> !blocker.waiting())
                .extracting(Blocker::owner)
                .containsExactly("holder");
        lease.close();
        first.result().close();
        second.result().close();
    }

    private WaitingLock waiter(String owner) {
        return locks().snapshot().waiters().stream()
                .filter(waiter -> waiter.owner().equals(owner))
                .findFirst()
                .orElseThrow(() -> new AssertionError(owner + " doesn't wait in " + locks().snapshot()));
    }

    @Test
    @DisplayName("the snapshot of one party shows the holders of another")
    default void snapshotShowsOtherParties() {
        needsStoreWithout(StoreTrait.PARTIAL_SIGHT, PARTIAL);
        Lease lease = take(other(), exclusive(CHARACTER.key("A")).as("elsewhere"));
        assertThat(holderOf(locks().snapshot(), CHARACTER.key("A")).owner()).isEqualTo("elsewhere");
        lease.close();
    }

    @Test
    @DisplayName("a refusal names the key and who holds it")
    default void busyNamesTheHolder() {
        Lease lease = take(locks(), exclusive(account("u1", "a1")).as("holder"));
        Busy busy = refused(third(), exclusive(resource("u1", "a1", "r1")));
        assertThat(busy.key()).isEqualTo(account("u1", "a1"));
        assertThat(busy.holder()).contains("holder");
        assertThat(busy.since()).hasValueSatisfying(this::checkRecent);
        assertThat(busy.blockers().get(0).leaseId()).isEqualTo(lease.id());
        lease.close();
    }

    @Test
    @DisplayName("a timeout's error names the key and who holds it")
    default void timeoutNamesTheHolder() {
        Lease lease = take(locks(), exclusive(account("u1", "a1")).as("close-account"));
        Task<Lease> waiting = startAcquire(
                "waiting", third(), exclusive(resource("u1", "a1", "r1")).within(WaitsContract.SHORT));
        stage().awaitWaitingOrDone(waiting);
        passTime(WaitsContract.SHORT);
        assertThat(waiting.failure()).isInstanceOfSatisfying(LockTimeoutException.class, error -> {
            assertThat(error).hasMessageContaining("user:u1/account:a1").hasMessageContaining("'close-account'");
            assertThat(error.keys()).containsExactly(resource("u1", "a1", "r1"));
            assertThat(error.busy().key()).isEqualTo(account("u1", "a1"));
            assertThat(error.busy().holder()).contains("close-account");
            assertThat(error.retryable()).isTrue();
        });
        lease.close();
    }
}
