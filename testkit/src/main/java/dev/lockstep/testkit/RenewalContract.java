package dev.lockstep.testkit;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.testkit.Named.CHARACTER;
import static dev.lockstep.testkit.Scenario.refused;
import static dev.lockstep.testkit.Scenario.take;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockEvent;
import dev.lockstep.core.Locks;
import dev.lockstep.core.Loss;
import dev.lockstep.core.ReleaseOutcome;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How a lease outlives its term. */
interface RenewalContract extends Scenario {
    /** The term of leases that must be renewed in time: two thirds of it are longer than a machine stands still. */
    Duration RENEWED = Duration.ofSeconds(18);

    @Test
    @DisplayName("a lease without its own term is renewed until it is closed")
    default void renewedUntilClosed() {
        EventProbe probe = new EventProbe();
        Locks party = stage().party(options -> options.listener(probe).defaultTerm(RENEWED));
        Lease lease = take(party, exclusive(CHARACTER.key("A")));
        for (int renewals = 1; renewals <= 3; renewals++) {
            passTime(RENEWED.multipliedBy(3).dividedBy(8));
            probe.awaitCount(LockEvent.Renewed.class, renewals);
        }
        assertThat(lease.isHeld()).isTrue();
        refused(other(), exclusive(CHARACTER.key("A")));
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        take(other(), exclusive(CHARACTER.key("A"))).close();
    }

    @Test
    @DisplayName("a renewal by hand gives a full term from then on")
    default void renewedByHand() {
        long taken = moment();
        Lease lease = take(locks(), exclusive(CHARACTER.key("A")).forTerm(longTerm()));
        passTime(longTerm().multipliedBy(3).dividedBy(8));
        long start = moment();
        if (!during(longTerm(), taken, lease::renew)) {
            return;
        }
        passTime(longTerm().multipliedBy(3).dividedBy(4));
        during(longTerm(), start, () -> {
            assertThat(lease.isHeld()).isTrue();
            refused(other(), exclusive(CHARACTER.key("A")));
        });
        passTime(longTerm().dividedBy(4));
        assertThat(lease.isHeld()).isFalse();
        other().acquire(exclusive(CHARACTER.key("A"))).close();
    }

    @Test
    @DisplayName("a renewal by hand may ask for longer")
    default void renewedForLonger() {
        long start = moment();
        Lease lease = take(locks(), exclusive(CHARACTER.key("A")).forTerm(leaseTerm()));
        if (!during(leaseTerm(), start, () -> lease.renew(ContractStage.TERM))) {
            return;
        }
        passTime(leaseTerm().multipliedBy(3).dividedBy(2));
        assertThat(lease.isHeld()).isTrue();
        refused(other(), exclusive(CHARACTER.key("A")));
        lease.close();
    }

    @Test
    @DisplayName("the longest hold ends a lease, however often it is renewed")
    default void longestHold() {
        EventProbe probe = new EventProbe();
        Locks party = stage().party(options -> options.listener(probe).defaultTerm(RENEWED));
        Duration longest = RENEWED.multipliedBy(5).dividedBy(4); // one renewal reaches it
        long start = moment();
        Lease lease = take(party, exclusive(CHARACTER.key("A")).atMost(longest));
        passTime(RENEWED.multipliedBy(3).dividedBy(8));
        probe.await(LockEvent.Renewed.class);
        passTime(RENEWED.multipliedBy(11).dividedBy(16));
        during(longest, start, () -> assertThat(lease.isHeld()).isTrue());
        passTime(RENEWED.dividedBy(4));
        assertThat(probe.await(LockEvent.Lost.class).loss().reason()).isEqualTo(Loss.Reason.HELD_TOO_LONG);
        assertThat(lease.isHeld()).isFalse();
        other().acquire(exclusive(CHARACTER.key("A"))).close();
    }

    @Test
    @DisplayName("a longest hold shorter than the term ends the lease without a renewal")
    default void longestHoldWithinTheTerm() {
        EventProbe probe = new EventProbe();
        Locks party = stage().party(options ->
                options.listener(probe).longestHold(leaseTerm().dividedBy(2)));
        long start = moment();
        Lease lease = take(party, exclusive(CHARACTER.key("A")));
        passTime(leaseTerm().dividedBy(4));
        during(leaseTerm().dividedBy(2), start, () -> assertThat(lease.isHeld()).isTrue());
        passTime(leaseTerm().dividedBy(2));
        assertThat(probe.await(LockEvent.Lost.class).loss().reason()).isEqualTo(Loss.Reason.HELD_TOO_LONG);
        other().acquire(exclusive(CHARACTER.key("A"))).close();
    }
}
