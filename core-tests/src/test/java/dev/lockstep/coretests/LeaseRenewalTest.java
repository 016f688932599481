package dev.lockstep.coretests;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Attempt;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockEvent;
import dev.lockstep.core.LockException;
import dev.lockstep.core.Loss;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.testkit.FaultyStore.Call;
import dev.lockstep.testkit.HungCall;
import dev.lockstep.testkit.Tenancy;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Renewals that fail, hang, or race with the end of their lease. */
@Timeout(300)
class LeaseRenewalTest extends LeaseStage {
    // ---- renewals that fail

    @Test
    void renewalFailsAndThenSucceeds() {
        Lease lease = renewed();
        store.failNext(Call.RENEW, 3);
        clock.advance(UNTIL_RENEWAL);
        for (int failures = 1; failures <= 3; failures++) {
            probe.awaitCount(LockEvent.RenewalFailed.class, failures);
            clock.advance(Duration.ofMillis(1_100));
        }
        probe.awaitCount(LockEvent.Renewed.class, 1);
        clock.advance(Duration.ofSeconds(9));
        assertThat(lease.isHeld()).isTrue();
        othersAreRefused();
        assertThat(probe.ofType(LockEvent.Lost.class)).isEmpty();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void renewalFailsUntilItIsLostAndOnlyThenTheStoreGivesItAway() {
        Lease lease = renewed();
        store.failNext(Call.RENEW, Integer.MAX_VALUE);
        clock.advance(UNTIL_RENEWAL);
        probe.awaitCount(LockEvent.RenewalFailed.class, 1);
        clock.advance(Duration.ofMillis(9_950).minus(UNTIL_RENEWAL));
        assertThat(lease.isHeld()).isFalse();
        Loss loss = probe.await(LockEvent.Lost.class).loss();
        assertThat(loss.reason()).isEqualTo(Loss.Reason.UNCONFIRMED);
        assertThat(loss.cause()).containsInstanceOf(LockException.class);
        othersAreRefused();
        clock.advance(Duration.ofMillis(50));
        assertThat(other.tryAcquire(exclusive(KEY))).isInstanceOf(Granted.class);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.LOST);
    }

    @Test
    void renewalWhoseAnswerIsLostDoesNotCount() {
        Lease lease = renewed();
        store.loseAnswers(Call.RENEW, Integer.MAX_VALUE);
        clock.advance(UNTIL_RENEWAL);
        probe.awaitCount(LockEvent.RenewalFailed.class, 1);
        clock.advance(Duration.ofMillis(9_900).minus(UNTIL_RENEWAL));
        assertThat(lease.isHeld()).isFalse();
        assertThat(reasonOf(lease)).isEqualTo(Loss.Reason.UNCONFIRMED);
        othersAreRefused();
    }

    @Test
    void forgetfulStoreMakesItLost() {
        Lease lease = renewed();
        store.forgetAll();
        clock.advance(UNTIL_RENEWAL);
        assertThat(probe.await(LockEvent.Lost.class).loss().reason()).isEqualTo(Loss.Reason.REFUSED);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void renewalByHandTellsOfAStoreThatCannotBeReached() {
        Lease lease = fixed();
        store.failNext(Call.RENEW, 1);
        assertThatThrownBy(lease::renew)
                .isInstanceOfSatisfying(
                        LockException.class, error -> assertThat(error.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE));
        assertThat(lease.isHeld()).isTrue();
        lease.renew();
    }

    // ---- renewals that hang

    @Test
    void hungRenewalDelaysNeitherTheSignalNorOtherLocks() {
        Lease lease = renewed();
        Lease elsewhere = other.acquire(exclusive(Tenancy.user("u2")));
        HungCall hung = store.hangNext(Call.RENEW);
        for (int renewals = 1; renewals <= 3; renewals++) {
            clock.advance(UNTIL_RENEWAL);
            otherProbe.awaitCount(LockEvent.Renewed.class, renewals);
            hung.awaitReached(); // before the lease ends
        }
        assertThat(lease.isHeld()).isFalse();
        assertThat(reasonOf(lease)).isEqualTo(Loss.Reason.UNCONFIRMED);
        assertThat(elsewhere.isHeld()).isTrue();
        hung.letGo();
        elsewhere.close();
        Lease heir = other.acquire(exclusive(KEY));
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.LOST);
        assertThat(heir.isHeld()).isTrue();
    }

    @Test
    void renewalThatRacesWithCloseNeverRevives() {
        Lease lease = renewed();
        HungCall hung = store.hangNext(Call.RENEW);
        clock.advance(UNTIL_RENEWAL);
        hung.awaitReached();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        Lease heir = other.acquire(exclusive(KEY));
        hung.letGo();
        locks.acquire(exclusive(Tenancy.user("u2"))).close();
        assertThat(lease.isHeld()).isFalse();
        assertThat(heir.isHeld()).isTrue();
        assertThat(probe.ofType(LockEvent.Lost.class)).isEmpty();
    }

    @Test
    void answerThatComesAfterCloseNeverRevives() {
        Lease lease = renewed();
        HungCall hung = store.hangNextAnswer(Call.RENEW);
        clock.advance(UNTIL_RENEWAL);
        hung.awaitReached();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        hung.letGo();
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(memory.snapshot().isEmpty()).isTrue();
    }

    @Test
    void lateAnswerNeverProlongsWhatWasShortenedMeanwhile() {
        Lease lease = renewed();
        HungCall hung = store.hangNextAnswer(Call.RENEW);
        clock.advance(UNTIL_RENEWAL);
        hung.awaitReached();
        lease.renew(Duration.ofSeconds(1));
        hung.letGo();
        probe.awaitCount(LockEvent.Renewed.class, 2);
        clock.advance(Duration.ofMillis(1_500));
        Attempt attempt = other.tryAcquire(exclusive(KEY));
        assertThat(lease.isHeld() && attempt instanceof Granted)
                .as("both think that they hold it")
                .isFalse();
    }

    @Test
    void longestHoldIsNotRenewedOverAndOver() {
        Instant end = clock.instant().plus(TERM.multipliedBy(2));
        Lease lease = locks.acquire(exclusive(KEY).atMost(TERM.multipliedBy(2)));
        for (int seconds = 1; seconds < 20; seconds++) {
            clock.advance(Duration.ofSeconds(1));
            await().pollInterval(Duration.ofMillis(1)).until(() -> isFresh(lease, end));
        }
        assertThat(lease.isHeld()).isTrue();
        clock.advance(Duration.ofSeconds(1));
        assertThat(reasonOf(lease)).isEqualTo(Loss.Reason.HELD_TOO_LONG);
        assertThat(store.calls(Call.RENEW)).isLessThanOrEqualTo(4);
    }

    /** Whether a renewal is not due, or would gain nothing. */
    private boolean isFresh(Lease lease, Instant end) {
        Duration left = Duration.between(clock.instant(), lease.expiresAt());
        return left.compareTo(Duration.ofMillis(6_500)) > 0
                || !lease.expiresAt().isBefore(end.minusMillis(200));
    }
}
