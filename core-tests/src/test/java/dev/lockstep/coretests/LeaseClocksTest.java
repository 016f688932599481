package dev.lockstep.coretests;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.LockEvent;
import dev.lockstep.core.Loss;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How long a holder counts on its lease, by both clocks. */
@Timeout(300)
class LeaseClocksTest extends LeaseStage {
    @Test
    void holderStopsCountingOnItAMarginBeforeTheStoreGivesItAway() {
        Lease lease = fixed();
        assertThat(lease.expiresAt()).isEqualTo(clock.instant().plusMillis(9_900));
        clock.advance(Duration.ofMillis(9_899));
        assertThat(lease.isHeld()).isTrue();
        clock.advance(Duration.ofMillis(1));
        assertThat(lease.isHeld()).isFalse();
        assertThat(reasonOf(lease)).isEqualTo(Loss.Reason.EXPIRED);
        othersAreRefused();
        clock.advance(Duration.ofMillis(100));
        assertThat(other.tryAcquire(exclusive(KEY))).isInstanceOf(Granted.class);
    }

    @Test
    void wallClockThatJumpsForwardEndsIt() {
        Lease lease = fixed();
        clock.jumpWallClock(Duration.ofSeconds(11));
        assertThat(lease.isHeld()).isFalse();
        assertThat(reasonOf(lease)).isEqualTo(Loss.Reason.EXPIRED);
        othersAreRefused(); // the store goes by its own clock
    }

    @Test
    void wallClockThatIsSetBackDoesNotProlongIt() {
        Lease lease = fixed();
        clock.jumpWallClock(Duration.ofHours(-1));
        assertThat(lease.isHeld()).isTrue();
        clock.advance(TERM);
        assertThat(lease.isHeld()).isFalse();
        assertThat(reasonOf(lease)).isEqualTo(Loss.Reason.EXPIRED);
    }

    @Test
    void monotonicClockAloneEndsIt() {
        Lease lease = fixed();
        clock.advanceMonotonic(TERM);
        assertThat(lease.isHeld()).isFalse();
        assertThat(reasonOf(lease)).isEqualTo(Loss.Reason.EXPIRED);
    }

    @Test
    void suspendedMachineWakesUpWithoutIt() {
        Lease lease = renewed();
        clock.suspend(Duration.ofHours(1));
        assertThat(lease.isHeld()).isFalse();
        assertThat(reasonOf(lease)).isEqualTo(Loss.Reason.UNCONFIRMED);
        assertThatThrownBy(lease::ensureHeld).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void wallClockThatJumpsALittleChangesNothing() {
        Lease lease = renewed();
        clock.jumpWallClock(Duration.ofSeconds(2));
        clock.advance(UNTIL_RENEWAL);
        probe.awaitCount(LockEvent.Renewed.class, 1);
        assertThat(lease.isHeld()).isTrue();
    }
}
