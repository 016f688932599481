package dev.lockstep.inventory.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SweepPaceTest {
    private final SweepPace pace = new SweepPace(Duration.ofSeconds(1));

    private void swept(int ended, int endedByOthers) {
        pace.swept(new Sweep(ended, endedByOthers));
    }

    @Test
    void aProcessThatFindsTheWorkOfOthersSweepsLessOften() {
        for (int seconds : new int[] {2, 4, 8, 8}) {
            swept(1, 100);
            assertThat(pace.pause()).isEqualTo(Duration.ofSeconds(seconds));
        }
    }

    @Test
    void itIsBackAtItsPaceWhenNoOtherProcessSweeps() {
        swept(0, 100);
        swept(100, 1);
        assertThat(pace.pause()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void nothingToSweepChangesNothing() {
        swept(0, 100);
        swept(0, 0);
        assertThat(pace.pause()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void itNeverWaitsMoreThanHalfAMinuteLonger() {
        SweepPace slow = new SweepPace(Duration.ofMinutes(5));
        slow.swept(new Sweep(0, 1));
        assertThat(slow.pause()).isEqualTo(Duration.ofSeconds(330));
    }
}
