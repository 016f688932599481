package dev.lockstep.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class WaitTimesTest {
    private final WaitTimes waits = new WaitTimes();

    @Test
    void percentilesAreWaitsThatHappened() {
        waits.addAll(LongStream.rangeClosed(1, 100)
                .map(millis -> millis * 1_000_000)
                .boxed()
                .toList());
        assertThat(waits.median()).isEqualTo(50);
        assertThat(waits.percentile(99)).isEqualTo(99);
        assertThat(waits.max()).isEqualTo(100);
    }

    @Test
    void oneWaitIsAllOfThem() {
        waits.add(1_500_000);
        assertThat(waits.median()).isEqualTo(1.5);
        assertThat(waits.max()).isEqualTo(1.5);
    }

    @Test
    void whatIsForgottenDoesNotCount() {
        waits.add(1);
        waits.clear();
        assertThat(waits.count()).isZero();
        assertThatThrownBy(waits::max).isInstanceOf(IllegalStateException.class);
    }
}
