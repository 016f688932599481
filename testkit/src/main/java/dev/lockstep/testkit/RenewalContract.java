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
    @Test
    @DisplayName("a lease without a term of its own is renewed until it is closed")
    default void renewedUntilClosed() {
        EventProbe probe = new EventProbe();
        Locks party = stage().party(options -> options.listener(probe));
        Lease lease = take(party, exclusive(CHARACTER.key("A")));
        for (int halves = 1; halves <= 3; halves++) {
            passTime(longTerm().dividedBy(2));
            probe.awaitCount(LockEvent.Renewed.class, halves);
        }
        assertThat(lease.isHeld()).isTrue();
        refused(other(), exclusive(CHARACTER.key("A")));
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        take(other(), exclusive(CHARACTER.key("A"))).close();
    }

    @Test
    @DisplayName("a renewal by hand gives a full term from then on")
    default void renewedByHand() {
        Lease lease = take(locks(), exclusive(CHARACTER.key("A")).forTerm(longTerm()));
        passTime(longTerm().multipliedBy(3).dividedBy(8));
        long start = moment();
        lease.renew();
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
        Lease lease = take(locks(), exclusive(CHARACTER.key("A")).forTerm(leaseTerm()));
        lease.renew(longTerm().multipliedBy(3));
        passTime(leaseTerm().multipliedBy(3).dividedBy(2));
        assertThat(lease.isHeld()).isTrue();
        refused(other(), exclusive(CHARACTER.key("A")));
        lease.close();
    }

    @Test
    @DisplayName("the longest hold ends a lease, however often it is renewed")
    default void longestHold() {
        EventProbe probe = new EventProbe();
        Locks party = stage().party(options -> options.listener(probe));
        Duration longest = longTerm().multipliedBy(5).dividedBy(4); // one renewal reaches it
        long start = moment();
        Lease lease = take(party, exclusive(CHARACTER.key("A")).atMost(longest));
        passTime(longTerm().dividedBy(2));
        probe.await(LockEvent.Renewed.class);
        passTime(longTerm().multipliedBy(9).dividedBy(16));
        during(longest, start, () -> assertThat(lease.isHeld()).isTrue());
        passTime(longTerm().dividedBy(2));
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
