package dev.lockstep.coretests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Deadline;
import dev.lockstep.testkit.FakeClock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class FakeClockTest {
    private final FakeClock clock = new FakeClock();
    private final long nanos = clock.nanos();
    private final Instant start = clock.instant();

    private Duration monotonic() {
        return Duration.ofNanos(clock.nanos() - nanos);
    }

    @Test
    void standsStillUntilItIsMoved() {
        assertThat(clock.nanos()).isEqualTo(nanos);
        assertThat(clock.instant()).isEqualTo(start).isEqualTo(Instant.parse("2026-01-01T00:00:00Z"));
    }

    @Test
    void advanceMovesBothClocks() {
        clock.advance(Duration.ofSeconds(40)); // past the overflow of the monotonic one
        assertThat(monotonic()).isEqualTo(Duration.ofSeconds(40));
        assertThat(clock.instant()).isEqualTo(start.plusSeconds(40));
    }

    @Test
    void partsOfMillisecondsAddUp() {
        clock.advance(Duration.ofNanos(600_000));
        assertThat(clock.instant()).isEqualTo(start);
        clock.advance(Duration.ofNanos(600_000));
        assertThat(clock.instant()).isEqualTo(start.plusMillis(1));
    }

    @Test
    void eachClockMovesAlone() {
        clock.advanceMonotonic(Duration.ofSeconds(1));
        assertThat(clock.instant()).isEqualTo(start);
        clock.jumpWallClock(Duration.ofHours(-1));
        clock.suspend(Duration.ofHours(3));
        assertThat(monotonic()).isEqualTo(Duration.ofSeconds(1));
        assertThat(clock.instant()).isEqualTo(start.plus(Duration.ofHours(2)));
    }

    @Test
    void timeDoesNotPassBackwards() {
        assertThatThrownBy(() -> clock.advance(Duration.ofNanos(-1))).hasMessageContaining("jumpWallClock");
        assertThatThrownBy(() -> clock.suspend(Duration.ofNanos(-1))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void parkedThreadContinuesWhenTimeHasPassed() {
        CompletableFuture<Long> woken = new CompletableFuture<>();
        Thread sleeper = new Thread(() -> woken.complete(sleep(Duration.ofSeconds(30))));
        sleeper.start();
        await().until(() -> clock.parked() == 1);
        clock.advance(Duration.ofSeconds(29));
        assertThat(woken).isNotDone();
        clock.advance(Duration.ofSeconds(1));
        assertThat(Duration.ofNanos(woken.join())).isEqualTo(Duration.ofSeconds(30));
        await().until(() -> clock.parked() == 0);
    }

    private long sleep(Duration time) {
        Deadline end = Deadline.in(time, clock);
        for (long left = end.remainingNanos(); left > 0; left = end.remainingNanos()) {
            clock.park(this, left);
        }
        return clock.nanos() - nanos;
    }

    @Test
    void noMoveIsMissedWhileThreadsParkAndUnpark() {
        for (int i = 0; i < 200; i++) {
            CompletableFuture<Long> woken = CompletableFuture.supplyAsync(() -> sleep(Duration.ofSeconds(1)));
            clock.advance(Duration.ofMillis(500));
            Thread.onSpinWait();
            while (!woken.isDone()) {
                clock.advance(Duration.ofMillis(500));
            }
            assertThat(woken.join()).isPositive();
        }
    }

    @Test
    void parkEndsWhenUnparkedOrInterrupted() throws InterruptedException {
        Thread sleeper = new Thread(() -> {
            clock.park(this, Long.MAX_VALUE);
            Thread.currentThread().interrupt();
            clock.park(this, Long.MAX_VALUE);
        });
        sleeper.start();
        LockSupport.unpark(sleeper);
        sleeper.join(60_000);
        assertThat(sleeper.isAlive()).isFalse();
    }
}
