package dev.lockstep.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SeriesTest {
    @Test
    void medianIsTheMiddleOrTheMeanOfTheTwoInTheMiddle() {
        assertThat(new Series(List.of(9.0, 1.0, 2.0)).median()).isEqualTo(2.0);
        assertThat(new Series(List.of(9.0, 1.0, 2.0, 4.0)).median()).isEqualTo(3.0);
    }

    @Test
    void knowsItsEnds() {
        Series series = new Series(List.of(9.0, 1.0, 2.0));
        assertThat(series.min()).isEqualTo(1.0);
        assertThat(series.max()).isEqualTo(9.0);
    }

    @Test
    void needsAValue() {
        assertThatThrownBy(() -> new Series(List.of())).isInstanceOf(IllegalArgumentException.class);
    }
}
