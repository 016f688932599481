package dev.lockstep.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    private static final Series TEN = new Series(List.of(10.0, 11.0, 9.0));
    private static final Series FIVE = new Series(List.of(5.0, 5.5, 3.0));

    @Test
    void ratioIsTheMedianOfTheRoundsRatios() {
        assertThat(Comparison.only("x", TEN, FIVE).ratio()).isEqualTo(2.0);
    }

    @Test
    void ratioThatIsJustReachedIsReached() {
        assertThat(Comparison.asking(2.0, "x", TEN, FIVE).reached()).isTrue();
        assertThat(Comparison.asking(2.01, "x", TEN, FIVE).reached()).isFalse();
    }

    @Test
    void rowShowsMediansRatioAndWhetherItIsEnough() {
        Series fast = new Series(List.of(12_345.6));
        Series slow = new Series(List.of(1_000.0));
        assertThat(Comparison.asking(10, "x", fast, slow).row())
                .containsExactly("x", "12,346", "1,000", "12.35", "≥ 10.00", "✓");
        assertThat(Comparison.asking(13, "x", fast, slow).row()).endsWith("✗");
        assertThat(Comparison.only("x", fast, slow).row()).endsWith("", "");
    }
}
