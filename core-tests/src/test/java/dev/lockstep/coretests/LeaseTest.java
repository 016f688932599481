package dev.lockstep.coretests;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Attempt;
import dev.lockstep.core.Busy;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.LockEvent;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.Locks;
import dev.lockstep.core.Loss;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.testkit.EventProbe;
import dev.lockstep.testkit.FakeClock;
import dev.lockstep.testkit.FaultyStore;
import dev.lockstep.testkit.FaultyStore.Call;
import dev.lockstep.testkit.HungCall;
import dev.lockstep.testkit.Tenancy;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What only moved clocks and a store that fails can show about leases. Terms are 10 s, renewed at a third of it. */
@Timeout(60)
class LeaseTest {
    private static final LockKey KEY = Tenancy.user("u1");
    private static final LockKey OTHER_KIND = new Job().key("j1");
    private static final Duration TERM = Duration.ofSeconds(10);
    private static final Duration UNTIL_RENEWAL = Duration.ofMillis(3_400);

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

    private final FakeClock clock = new FakeClock();
    private final MemoryStore memory = MemoryStore.on(clock);
    private final FaultyStore store = FaultyStore.around(memory);
    private final EventProbe probe = new EventProbe();
    private final Locks locks =
            Locks.builder(store).clock(clock).listener(probe).build();
    private final EventProbe otherProbe = new EventProbe();
    private final Locks other = Locks.builder(memory)
            .clock(clock)
            .listener(otherProbe)
            .leaveStoreOpen()
            .build();

    @AfterEach
    void close() {
        store.heal();
        other.close();
        locks.close();
    }

    private Lease fixed() {
        return locks.acquire(exclusive(KEY).forTerm(TERM));
    }

    private Lease renewed() {
        return locks.acquire(exclusive(KEY));
    }

    private void othersAreRefused() {
        assertThat(other.tryAcquire(exclusive(KEY))).isInstanceOf(Busy.class);
    }

    private static Loss.Reason reasonOf(Lease lease) {
        return lease.lost()
                .toCompletableFuture()
                .orTimeout(20, TimeUnit.SECONDS)
                .join()
                .reason();
    }

    // ---- safe until, on both clocks

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
        }
        hung.awaitReached();
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

    // ---- releases that fail

    @Test
    void failingReleaseIsToldAndTriedAgainButNeverThrown() {
        Lease lease = renewed();
        store.failNext(Call.RELEASE, 2);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        probe.awaitCount(LockEvent.ReleaseFailed.class, 1);
        othersAreRefused();
        clock.advance(Duration.ofMillis(150));
        probe.awaitCount(LockEvent.ReleaseFailed.class, 2);
        await().until(() -> {
            clock.advance(Duration.ofMillis(50));
            return other.tryAcquire(exclusive(KEY)) instanceof Granted;
        });
        assertThat(store.calls(Call.RELEASE)).isEqualTo(3);
    }

    @Test
    void failingReleaseDoesNotHideTheTasksOwnError() {
        IllegalStateException own = new IllegalStateException("the task's own");
        store.failNext(Call.RELEASE, 1);
        assertThatThrownBy(() -> locks.run(exclusive(KEY), lease -> {
                    throw own;
                }))
                .isSameAs(own);
    }

    @Test
    void failingReleaseDoesNotStopTheOthers() {
        Lease outer = renewed();
        Lease inner = locks.acquire(exclusive(OTHER_KIND));
        store.failNext(Call.RELEASE, 1);
        inner.close();
        outer.close();
        assertThat(other.tryAcquire(exclusive(KEY))).isInstanceOf(Granted.class);
    }

    // ---- interrupts

    @Test
    void lossInterruptsTheThreadThatAsked() {
        CompletableFuture<Lease> taken = new CompletableFuture<>();
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread worker = new Thread(() -> {
            taken.complete(locks.acquire(exclusive(KEY).forTerm(TERM).interruptOnLoss()));
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.complete(taken.join().isHeld());
            }
        });
        worker.start();
        taken.join();
        clock.advance(TERM);
        assertThat(interrupted.join()).isFalse();
    }

    @Test
    void lossNeverInterruptsAfterClose() {
        Lease lease = locks.acquire(exclusive(KEY).forTerm(TERM).interruptOnLoss());
        lease.close();
        clock.advance(TERM);
        other.acquire(exclusive(KEY)).close();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    // ---- asynchronous requests

    @Test
    @DisplayName("an asynchronous request that the store refuses at once is told as failed")
    void asyncFailureIsTold() {
        memory.close();
        assertThatThrownBy(() -> other.acquireAsync(exclusive(KEY)).join()).isNotNull();
        otherProbe.await(LockEvent.AcquireFailed.class);
    }
}
