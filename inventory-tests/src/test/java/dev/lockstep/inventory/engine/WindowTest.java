package dev.lockstep.inventory.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WindowTest {
    private final Window one = new Window(100);
    private final Window other = new Window(0);

    @Test
    void nothingCountedIsNoRate() {
        assertThat(one.conflictRate(other)).isZero();
        assertThat(one.company(other)).isZero();
    }

    @Test
    void twoWindowsCountTogether() {
        one.attempted(true);
        one.attempted(false);
        other.attempted(false);
        other.attempted(false);
        assertThat(one.conflictRate(other)).isEqualTo(0.25);
        assertThat(one.attempts()).isEqualTo(2);
    }

    @Test
    void whoIsAloneInATransactionHasNoCompany() {
        one.combined(1, false);
        other.combined(3, true);
        assertThat(one.company(other)).isEqualTo(0.75);
        assertThat(one.combined()).isEqualTo(1);
    }

    @Test
    void itsAgeCountsFromItsStartAlsoWhenTheClockOverflows() {
        assertThat(one.age(150)).isEqualTo(50);
        assertThat(new Window(Long.MAX_VALUE - 5).age(Long.MIN_VALUE + 4)).isEqualTo(10);
    }
}
