package dev.lockstep.coretests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Deadline;
import dev.lockstep.testkit.FakeClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DeadlineTest {
    private final FakeClock clock = new FakeClock();

    @Test
    void comesNearerAndPasses() {
        Deadline deadline = Deadline.in(Duration.ofSeconds(30), clock); // the clock overflows before
        assertThat(deadline.passed()).isFalse();
        clock.advance(Duration.ofSeconds(29));
        assertThat(deadline.remaining()).isEqualTo(Duration.ofSeconds(1));
        clock.advance(Duration.ofSeconds(1));
        assertThat(deadline.passed()).isTrue();
        assertThat(deadline.remaining()).isZero();
        clock.advance(Duration.ofSeconds(1));
        assertThat(deadline.remainingNanos()).isNegative();
        assertThat(deadline.remaining()).isZero();
    }

    @Test
    void zeroHasPassedAtOnce() {
        assertThat(Deadline.in(Duration.ZERO, clock).passed()).isTrue();
    }

    @Test
    void wallClockDoesNotMatter() {
        Deadline deadline = Deadline.in(Duration.ofSeconds(1), clock);
        clock.jumpWallClock(Duration.ofDays(1));
        assertThat(deadline.passed()).isFalse();
        clock.jumpWallClock(Duration.ofDays(-2));
        clock.advanceMonotonic(Duration.ofSeconds(1));
        assertThat(deadline.passed()).isTrue();
    }

    @Test
    void earlierOfTwo() {
        Deadline near = Deadline.in(Duration.ofSeconds(1), clock);
        Deadline far = Deadline.in(Duration.ofSeconds(40), clock);
        assertThat(near.orEarlier(far)).isSameAs(near);
        assertThat(far.orEarlier(near)).isSameAs(near);
        assertThat(Deadline.at(near.nanos(), clock).remaining()).isEqualTo(near.remaining());
    }
}
