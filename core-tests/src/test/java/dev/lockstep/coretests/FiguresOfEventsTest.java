package dev.lockstep.coretests;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockEvent;
import dev.lockstep.core.LockFigures;
import dev.lockstep.testkit.FaultyStore.Call;
import dev.lockstep.testkit.HungCall;
import dev.lockstep.testkit.Tenancy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What meters need: how late renewals come, how long failed requests waited, what is held and waited for. */
@Timeout(300)
class FiguresOfEventsTest extends LeaseStage {
    private static final Duration DUE = Duration.ofNanos(TERM.toNanos() / 3);
    private static final Duration LAG = UNTIL_RENEWAL.minus(DUE);

    private Duration lagOfRenewal(int number) {
        return probe.awaitCount(LockEvent.Renewed.class, number).get(number - 1).lag();
    }

    @Test
    void eachRenewalTellsHowLongAfterItWasDueItCame() {
        renewed();
        clock.advance(UNTIL_RENEWAL);
        assertThat(lagOfRenewal(1)).isEqualTo(LAG);
        clock.advance(DUE);
        assertThat(lagOfRenewal(2)).isZero();
    }

    @Test
    void timeThatTheStoreTookForItsAnswerIsLag() {
        renewed();
        HungCall hung = store.hangNextAnswer(Call.RENEW);
        clock.advance(UNTIL_RENEWAL);
        hung.awaitReached();
        clock.advance(Duration.ofSeconds(2));
        hung.letGo();
        assertThat(lagOfRenewal(1)).isEqualTo(LAG.plusSeconds(2));
    }

    @Test
    void failedRenewalsMakeTheNextOneLate() {
        renewed();
        store.failNext(Call.RENEW, 1);
        clock.advance(UNTIL_RENEWAL);
        probe.await(LockEvent.RenewalFailed.class);
        clock.advance(Duration.ofMillis(1_100));
        assertThat(lagOfRenewal(1)).isEqualTo(LAG.plusMillis(1_100));
    }

    @Test
    void renewalByHandIsNeverLate() {
        Lease lease = fixed();
        clock.advance(Duration.ofSeconds(9));
        lease.renew();
        assertThat(lagOfRenewal(1)).isZero();
    }

    @Test
    void failedRequestTellsHowLongItWaited() {
        renewed();
        CompletableFuture<Lease> waiting = other.acquireAsync(exclusive(KEY).within(Duration.ofMinutes(1)));
        clock.advance(Duration.ofSeconds(3));
        waiting.cancel(true);
        assertThat(otherProbe.await(LockEvent.AcquireFailed.class).waited()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void figuresCountWhatTheseLocksHoldAndWaitFor() {
        Lease lease = renewed();
        locks.acquireAsync(exclusive(Tenancy.user("u2"))).join();
        CompletableFuture<Lease> waiting = other.acquireAsync(exclusive(KEY).within(Duration.ofMinutes(1)));
        assertThat(locks.figures()).isEqualTo(new LockFigures(2, 0));
        assertThat(other.figures()).isEqualTo(new LockFigures(0, 1));
        lease.close();
        assertThat(waiting.join().isHeld()).isTrue();
        assertThat(locks.figures()).isEqualTo(new LockFigures(1, 0));
        assertThat(other.figures()).isEqualTo(new LockFigures(1, 0));
    }
}
