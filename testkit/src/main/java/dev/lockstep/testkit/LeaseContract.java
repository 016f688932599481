package dev.lockstep.testkit;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.testkit.Named.CHARACTER;
import static dev.lockstep.testkit.Scenario.refused;
import static dev.lockstep.testkit.Scenario.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Loss;
import dev.lockstep.core.ReleaseOutcome;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a lease is worth, and what becomes of it when its term has expired. */
interface LeaseContract extends Scenario {
    private LockRequest brief() {
        return exclusive(CHARACTER.key("A")).forTerm(leaseTerm());
    }

    private LockRequest lasting() {
        return exclusive(CHARACTER.key("A")).forTerm(ContractStage.TERM);
    }

    @Test
    @DisplayName("a lease says what it is")
    default void leaseSaysWhatItIs() {
        Lease lease = take(locks(), lasting().as("me"));
        assertThat(lease.owner()).isEqualTo("me");
        assertThat(lease.keys()).containsExactly(CHARACTER.key("A"));
        assertThat(lease.source()).isEqualTo(stage().store().name());
        assertThat(lease.isHeld()).isTrue();
        lease.ensureHeld();
        lease.close();
        assertThat(lease.isHeld()).isFalse();
        assertThatThrownBy(lease::ensureHeld).isInstanceOf(LeaseLostException.class);
    }

    @Test
    @DisplayName("an expired lease can be taken by another")
    default void expiredLeaseCanBeTaken() {
        Lease expired = take(locks(), brief());
        Task<Lease> waiting = startAcquire("heir", other(), exclusive(CHARACTER.key("A")));
        stage().awaitWaitingOrDone(waiting);
        passTime(leaseTerm());
        assertThat(waiting.result().isHeld()).isTrue();
        assertThat(expired.isHeld()).isFalse();
        assertThat(waiting.result().token()).isGreaterThan(expired.token());
        waiting.result().close();
    }

    @Test
    @DisplayName("the locks of a lease are not granted to another before its term has expired")
    default void leaseLastsItsTerm() {
        long start = moment();
        Lease lease = take(locks(), brief());
        passTime(leaseTerm().dividedBy(2));
        during(leaseTerm(), start, () -> {
            assertThat(lease.isHeld()).isTrue();
            refused(other(), exclusive(CHARACTER.key("A")));
        });
        lease.close();
    }

    @Test
    @DisplayName("lost() completes when the term has expired, and the holder knows")
    default void lostCompletes() {
        long start = moment();
        Lease lease = take(locks(), brief());
        CompletableFuture<Loss> lost = lease.lost().toCompletableFuture();
        during(leaseTerm(), start, () -> assertThat(lost).isNotDone());
        passTime(leaseTerm());
        Eventually.await(lost::isDone, () -> "lost() should complete");
        assertThat(lost.join().reason()).isEqualTo(Loss.Reason.EXPIRED);
        assertThat(lease.isHeld()).isFalse();
        assertThatThrownBy(lease::ensureHeld).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(lease::renew).isInstanceOf(LeaseLostException.class);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.LOST);
        assertThat(lease.lost().toCompletableFuture().join().reason()).isEqualTo(Loss.Reason.EXPIRED);
    }

    @Test
    @DisplayName("lost() doesn't complete for a lease that was closed in time")
    default void lostNeverCompletesAfterClose() {
        long start = moment();
        Lease lease = take(locks(), brief());
        CompletableFuture<Loss> lost = lease.lost().toCompletableFuture();
        boolean inTime =
                during(leaseTerm(), start, () -> assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED));
        passTime(leaseTerm());
        take(other(), exclusive(CHARACTER.key("A"))).close();
        assertThat(inTime && lost.isDone()).as("lost after the release").isFalse();
    }

    @Test
    @DisplayName("a stale release never touches the new holder's lock")
    default void staleRelease() {
        Lease stale = take(stage().sleepingParty(), brief());
        passTime(leaseTerm());
        Lease heir = other().acquire(exclusive(CHARACTER.key("A")));
        assertThat(stale.isHeld()).as("what the sleeper thinks").isTrue();
        assertThat(stale.release()).isEqualTo(ReleaseOutcome.LOST);
        assertThat(heir.isHeld()).isTrue();
        refused(third(), exclusive(CHARACTER.key("A")));
        assertThat(heir.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    @DisplayName("a stale renewal never touches the new holder's lock")
    default void staleRenewal() {
        Lease stale = take(stage().sleepingParty(), brief());
        passTime(leaseTerm());
        Lease heir = other().acquire(exclusive(CHARACTER.key("A")));
        assertThatThrownBy(stale::renew)
                .isInstanceOfSatisfying(
                        LeaseLostException.class,
                        error -> assertThat(error.loss().reason()).isEqualTo(Loss.Reason.REFUSED));
        assertThat(stale.isHeld()).isFalse();
        assertThat(heir.isHeld()).isTrue();
        refused(third(), exclusive(CHARACTER.key("A")));
        assertThat(stale.release()).isEqualTo(ReleaseOutcome.LOST);
        refused(third(), exclusive(CHARACTER.key("A")));
        heir.close();
        take(third(), exclusive(CHARACTER.key("A"))).close();
    }

    @Test
    @DisplayName("a renewal never revives an expired lease, even if no other was granted")
    default void renewalNeverRevives() {
        Lease stale = take(stage().sleepingParty(), brief());
        passTime(leaseTerm());
        assertThatThrownBy(stale::renew).isInstanceOf(LeaseLostException.class);
        take(other(), exclusive(CHARACTER.key("A"))).close();
    }

    @Test
    @DisplayName("closing again does nothing and answers the same")
    default void closeIsIdempotent() {
        Lease lease = take(locks(), lasting());
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        Lease next = take(other(), exclusive(CHARACTER.key("A")));
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        lease.close();
        refused(third(), exclusive(CHARACTER.key("A")));
        next.close();
    }

    @Test
    @DisplayName("a lease may be closed on another thread")
    default void closedOnAnotherThread() {
        Lease lease = take(locks(), lasting());
        assertThat(start("closer", lease::release).result()).isEqualTo(ReleaseOutcome.RELEASED);
        take(other(), exclusive(CHARACTER.key("A"))).close();
        take(locks(), lasting()).close();
    }

    @Test
    @DisplayName("run and call hold the locks around the task, whatever it does")
    default void runAndCall() {
        assertThat(locks().<Boolean, RuntimeException>call(lasting(), Lease::isHeld))
                .isTrue();
        IllegalStateException failure = new IllegalStateException("the task's own");
        assertThatThrownBy(() -> locks().run(lasting(), lease -> {
                    refused(other(), exclusive(CHARACTER.key("A")));
                    throw failure;
                }))
                .isSameAs(failure);
        take(other(), exclusive(CHARACTER.key("A"))).close();
    }

    @Test
    @DisplayName("run throws when the lease was lost under the task")
    default void runTellsOfLoss() {
        assertThatThrownBy(() -> locks().run(brief(), lease -> passTime(leaseTerm())))
                .isInstanceOf(LeaseLostException.class);
    }

    @Test
    @DisplayName("a wait doesn't use up the term")
    default void waitDoesNotUseUpTheTerm() {
        Lease held = take(locks(), exclusive(CHARACTER.key("A")).forTerm(ContractStage.TERM));
        Task<Lease> waiting = startAcquire("heir", other(), brief());
        stage().awaitWaiting(waiting);
        passTime(leaseTerm().multipliedBy(3).dividedBy(4));
        long start = moment();
        held.close();
        Lease lease = waiting.result();
        passTime(leaseTerm().dividedBy(2));
        during(leaseTerm(), start, () -> assertThat(lease.isHeld()).isTrue());
        lease.close();
    }
}
