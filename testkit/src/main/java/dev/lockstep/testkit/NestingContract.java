package dev.lockstep.testkit;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.core.LockRequest.shared;
import static dev.lockstep.testkit.Named.CHARACTER;
import static dev.lockstep.testkit.Named.EQUIPMENT;
import static dev.lockstep.testkit.Scenario.refused;
import static dev.lockstep.testkit.Scenario.take;
import static dev.lockstep.testkit.Tenancy.account;
import static dev.lockstep.testkit.Tenancy.resource;
import static dev.lockstep.testkit.Tenancy.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.Busy;
import dev.lockstep.core.HeldLock;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.Loss;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.core.spi.StoreTrait;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Calls inside calls: what is held already is not taken again. */
interface NestingContract extends Scenario {
    @Test
    @DisplayName("the same key nested is covered, not taken again")
    default void sameKeyIsCovered() {
        Lease outer = take(locks(), exclusive(CHARACTER.key("A")));
        List<HeldLock> before = locks().snapshot().holders();
        Lease inner = take(locks(), exclusive(CHARACTER.key("A")));
        Lease reading = take(locks(), shared(CHARACTER.key("A")));
        assertThat(locks().snapshot().holders()).hasSameSizeAs(before);
        assertThat(List.of(inner, reading)).allMatch(Lease::isHeld);
        assertThat(inner.id()).isNotEqualTo(outer.id());
        assertThat(inner.token()).isEqualTo(outer.token());
        reading.close();
        inner.close();
        refused(other(), exclusive(CHARACTER.key("A")));
        assertThat(outer.isHeld()).isTrue();
        outer.close();
        take(other(), exclusive(CHARACTER.key("A"))).close();
    }

    @Test
    @DisplayName("an exclusive ancestor covers everything below it")
    default void ancestorCovers() {
        Lease outer = take(locks(), exclusive(user("u1")));
        Lease inner = take(locks(), exclusive(resource("u1", "a1", "r1"), account("u1", "a2")));
        assertThat(inner.isHeld()).isTrue();
        inner.close();
        outer.close();
    }

    @Test
    @DisplayName("a shared ancestor covers what is asked shared below it")
    default void sharedAncestorCovers() {
        needsStoreWithout(StoreTrait.TWO_MODES, ModesContract.NO_INTENTS);
        Lease outer = take(locks(), shared(account("u1", "a1")));
        List<HeldLock> before = locks().snapshot().holders();
        Lease inner = take(locks(), shared(resource("u1", "a1", "r1")));
        assertThat(locks().snapshot().holders()).hasSameSizeAs(before);
        inner.close();
        outer.close();
    }

    @Test
    @DisplayName("a nested call of a higher rank is acquired, and released first")
    default void higherRankIsTaken() {
        needsStoreWithout(StoreTrait.NESTED_STAY, "what a nested call locked stays until the outer lease ends");
        Lease outer = take(locks(), exclusive(account("u1", "a1")));
        Lease inner = take(locks(), exclusive(EQUIPMENT.key("B")));
        refused(other(), exclusive(EQUIPMENT.key("B")));
        inner.close();
        take(other(), exclusive(EQUIPMENT.key("B"))).close();
        refused(other(), exclusive(account("u1", "a1")));
        outer.close();
    }

    @Test
    @DisplayName("an outer lease that is closed first keeps its locks until the inner one is closed")
    default void outerClosedFirst() {
        Lease outer = take(locks(), exclusive(CHARACTER.key("A")));
        Lease inner = take(locks(), exclusive(CHARACTER.key("A")));
        assertThat(outer.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(inner.isHeld()).isTrue();
        refused(other(), exclusive(CHARACTER.key("A")));
        assertThat(inner.release()).isEqualTo(ReleaseOutcome.RELEASED);
        take(other(), exclusive(CHARACTER.key("A"))).close();
    }

    @Test
    @DisplayName("when the outer lease is lost, so is the inner one")
    default void outerLost() {
        long start = moment();
        Lease outer = take(locks(), exclusive(CHARACTER.key("A")).forTerm(leaseTerm()));
        Lease inner = take(
                locks(),
                exclusive(CHARACTER.key("A"), EQUIPMENT.key("B"))
                        .forTerm(leaseTerm().multipliedBy(10)));
        if (!during(leaseTerm(), start, outer::ensureHeld)) {
            return; // it was lost before, and the inner one may have its own lock
        }
        CompletableFuture<Loss> lost = inner.lost().toCompletableFuture();
        passTime(leaseTerm());
        Eventually.await(lost::isDone, () -> "the inner lease should be lost");
        assertThat(lost.join().reason()).isEqualTo(Loss.Reason.OUTER_LOST);
        assertThat(inner.isHeld()).isFalse();
        assertThatThrownBy(inner::ensureHeld).isInstanceOf(LeaseLostException.class);
        assertThat(inner.release()).isEqualTo(ReleaseOutcome.LOST);
        assertThat(outer.release()).isEqualTo(ReleaseOutcome.LOST);
        other().acquire(exclusive(CHARACTER.key("A"), EQUIPMENT.key("B"))).close();
    }

    @Test
    @DisplayName("renewing an inner lease never shortens the outer one")
    default void innerRenewalKeepsTheOuterTerm() {
        Lease outer = take(locks(), exclusive(CHARACTER.key("A")).forTerm(ContractStage.TERM));
        Lease inner = take(locks(), exclusive(CHARACTER.key("A")).forTerm(leaseTerm()));
        inner.renew();
        inner.close();
        passTime(leaseTerm().multipliedBy(3).dividedBy(2));
        assertThat(outer.isHeld()).isTrue();
        refused(other(), exclusive(CHARACTER.key("A")));
        outer.close();
    }

    @Test
    @DisplayName("another thread of the same party is another holder")
    default void threadsAreHolders() {
        Lease outer = take(locks(), exclusive(CHARACTER.key("A")));
        Task<Object> other = start("other", () -> refused(locks(), exclusive(CHARACTER.key("A"))));
        other.result();
        outer.close();
    }

    @Test
    @DisplayName("a bound task is covered by what its lease holds")
    default void bindCarriesTheHolder() {
        Lease outer = take(locks(), exclusive(CHARACTER.key("A")));
        Task<Boolean> bound = start("bound", outer.bind(() -> {
            Lease inner = take(locks(), exclusive(CHARACTER.key("A"), EQUIPMENT.key("B")));
            inner.close();
            return true;
        }));
        assertThat(bound.result()).isTrue();
        Task<Object> unbound = start("unbound", () -> {
            outer.bind(() -> {}).run();
            return refused(locks(), exclusive(CHARACTER.key("A")));
        });
        unbound.result();
        outer.close();
    }

    @Test
    @DisplayName("tasks bound to one lease exclude each other")
    default void boundTasksExcludeEachOther() {
        Lease outer = take(locks(), exclusive(CHARACTER.key("A")));
        Lease first = take(outer, exclusive(EQUIPMENT.key("B")));
        assertThat(outer.tryAcquire(exclusive(EQUIPMENT.key("B")))).isInstanceOf(Busy.class);
        Task<Lease> second = start("second", outer.bind(() -> locks().acquire(exclusive(EQUIPMENT.key("B")))));
        Lease covered = take(first, exclusive(EQUIPMENT.key("B")));
        covered.close();
        assertThat(second.isDone()).isFalse();
        first.close();
        second.result().close();
        outer.close();
    }

    @Test
    @DisplayName("a task bound to a lease that has ended is refused")
    default void boundTaskAfterItsLease() {
        Lease outer = take(locks(), exclusive(CHARACTER.key("A")));
        Callable<Lease> late = outer.bind(() -> locks().acquire(exclusive(CHARACTER.key("A"))));
        outer.close();
        Lease next = take(locks(), exclusive(CHARACTER.key("A")));
        assertThatThrownBy(late::call).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> outer.acquire(exclusive(EQUIPMENT.key("B")))).isInstanceOf(LeaseLostException.class);
        next.close();
    }

    @Test
    @DisplayName("an asynchronous lease belongs to no thread until it is bound")
    default void asyncLeaseBelongsToNoThread() throws Exception {
        Lease lease = locks().acquireAsync(exclusive(CHARACTER.key("A"))).join();
        refused(locks(), exclusive(CHARACTER.key("A")));
        Lease inner =
                lease.bind(() -> take(locks(), exclusive(CHARACTER.key("A")))).call();
        assertThat(inner.isHeld()).isTrue();
        inner.close();
        lease.close();
        take(locks(), exclusive(CHARACTER.key("A"))).close();
    }
}
