package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.jdbc.sql.Numbers;
import dev.lockstep.testkit.FakeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProgressMeterTest {
    private final FakeClock clock = new FakeClock();
    private final List<ProvisioningProgress> heard = new ArrayList<>();

    @Test
    void countsWhatWasThereAndSaysWhenItWillBeOver() {
        ProgressMeter meter = new ProgressMeter(1_000, heard::add, clock);
        meter.found(400);
        clock.advance(Duration.ofSeconds(2));
        meter.made(200, 200);

        assertThat(heard)
                .containsExactly(
                        new ProvisioningProgress(600, 1_000, Duration.ofSeconds(2), 100, Duration.ofSeconds(4)));
        assertThat(heard.get(0)).hasToString("600 of 1,000 rows (60 %), 100 rows/s, 4 s left");
        assertThat(heard.get(0).bar(10)).isEqualTo("######----");
    }

    @Test
    void tellsRowsOfOtherRunsFromItsOwn() {
        ProgressMeter meter = new ProgressMeter(100, heard::add, clock);
        meter.found(40);
        meter.made(60, 10);
        assertThat(meter.made()).isEqualTo(10);
        assertThat(meter.others()).isEqualTo(90);
        assertThat(heard.get(0).part()).isEqualTo(1);
    }

    @Test
    void saysOnceThatThereWasNothingToDo() {
        ProgressMeter meter = new ProgressMeter(100, heard::add, clock);
        meter.found(100);
        meter.done();
        assertThat(heard).containsExactly(new ProvisioningProgress(100, 100, Duration.ZERO, 0, Duration.ZERO));
        assertThat(new ProvisioningProgress(0, 0, Duration.ZERO, 0, Duration.ZERO).bar(3))
                .isEqualTo("###");
    }

    @Test
    void numbersReadWell() {
        assertThat(new ProvisioningReport(3_000_000, 5, Duration.ofSeconds(185)))
                .hasToString("3,000,000 rows made, 5 already there, in 3 min 5 s (16,216 rows/s)");
        assertThat(Numbers.clock(Duration.ofMinutes(134))).isEqualTo("2 h 14 min");
        assertThat(Numbers.bytes(999)).isEqualTo("999 B");
        assertThat(Numbers.bytes(1_500)).isEqualTo("1.5 kB");
        assertThat(Numbers.bytes(28_000_000_000L)).isEqualTo("28 GB");
        assertThat(Numbers.percent(0)).isEqualTo("0.0 %");
        assertThat(Numbers.percent(0.0005)).isEqualTo("1 in 2,000");
    }
}
