package dev.lockstep.inventory.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.Strategy;
import dev.lockstep.inventory.StrategyView;
import dev.lockstep.testkit.FakeClock;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GaugeTest {
    private static final StockKey KEY = new StockKey("SHIRT", "TOKYO");

    private final FakeClock clock = new FakeClock();
    private long version = 100;
    private final Gauge gauge = new Gauge(Strategy.ADAPTIVE, clock.nanos(), clock.instant());

    /** Counts so many attempts, of which the first ones met others; answers whether an alert was due. */
    private boolean attempts(int count, int conflicts) {
        boolean alert = false;
        for (int i = 0; i < count; i++) {
            alert |= gauge.attempted(clock.nanos(), i < conflicts).isPresent();
        }
        return alert;
    }

    private Optional<Strategy> choose() {
        return gauge.choose(clock.nanos(), clock.instant());
    }

    private void makeContended() {
        attempts(20, 10);
        assertThat(choose()).contains(Strategy.OPTIMISTIC);
        assertThat(gauge.strategy()).isEqualTo(Strategy.COMBINING);
    }

    private void combine(int seconds, int works) {
        for (int i = 0; i < seconds; i++) {
            clock.advance(Duration.ofSeconds(1));
            gauge.combined(clock.nanos(), works);
        }
    }

    @Test
    void startsOptimistic() {
        assertThat(choose()).isEmpty();
        assertThat(gauge.strategy()).isEqualTo(Strategy.OPTIMISTIC);
        assertThat(gauge.view(KEY).why()).isEqualTo("there were no conflicts");
    }

    @Test
    void aFewAttemptsTellNothing() {
        assertThat(attempts(19, 19)).isFalse();
        assertThat(choose()).isEmpty();
    }

    @Test
    void aTenthIsNotTooMuch() {
        assertThat(attempts(20, 2)).isFalse();
        assertThat(choose()).isEmpty();
        assertThat(gauge.strategy()).isEqualTo(Strategy.OPTIMISTIC);
    }

    @Test
    void moreThanATenthIsCombined() {
        attempts(20, 3);
        assertThat(choose()).contains(Strategy.OPTIMISTIC);
        StrategyView view = gauge.view(KEY);
        assertThat(view.strategy()).isEqualTo(Strategy.COMBINING);
        assertThat(view.why()).isEqualTo("15% of the last 20 attempts met others");
        assertThat(view.since()).isEqualTo(clock.instant());
    }

    @Test
    void theLineToCombiningIsAtTenPercent() {
        attempts(100, 10);
        assertThat(choose()).isEmpty();
        attempts(1, 1);
        assertThat(choose()).contains(Strategy.OPTIMISTIC);
        assertThat(gauge.view(KEY).why()).isEqualTo("11% of the last 101 attempts met others");
    }

    @Test
    void theLineBackToOptimisticIsAtFivePercent() {
        makeContended();
        clock.advance(Duration.ofSeconds(5));
        gauge.combined(clock.nanos(), 2);
        alone(38);
        assertThat(gauge.view(KEY).company()).isEqualTo(0.05);
        assertThat(choose()).isEmpty();
        assertThat(gauge.strategy()).isEqualTo(Strategy.COMBINING);
        alone(1);
        assertThat(choose()).contains(Strategy.COMBINING);
        assertThat(gauge.strategy()).isEqualTo(Strategy.OPTIMISTIC);
    }

    private void alone(int works) {
        for (int i = 0; i < works; i++) {
            gauge.combined(clock.nanos(), 1);
        }
    }

    @Test
    void alertsComeEveryTenSecondsAtMost() {
        assertThat(attempts(20, 20)).isTrue();
        assertThat(attempts(20, 20)).isFalse();
        clock.advance(Duration.ofSeconds(9));
        assertThat(attempts(20, 20)).isFalse();
        clock.advance(Duration.ofSeconds(1));
        assertThat(attempts(20, 20)).isTrue();
    }

    @Test
    void conflictsOfLongAgoDoNotCount() {
        attempts(15, 15);
        clock.advance(Duration.ofSeconds(2));
        attempts(20, 0);
        assertThat(choose()).isEmpty();
        assertThat(gauge.view(KEY).conflictRate()).isZero();
    }

    @Test
    void conflictsOfTheLastSecondCount() {
        attempts(15, 15);
        clock.advance(Duration.ofSeconds(1));
        attempts(5, 0);
        assertThat(choose()).contains(Strategy.OPTIMISTIC);
    }

    @Test
    void whatIsCombinedStaysSoForFiveSeconds() {
        makeContended();
        combine(4, 1);
        assertThat(choose()).isEmpty();
        combine(1, 1);
        assertThat(choose()).contains(Strategy.COMBINING);
        assertThat(gauge.strategy()).isEqualTo(Strategy.OPTIMISTIC);
        assertThat(gauge.view(KEY).why()).isEqualTo("only 0% of the last requests had company");
    }

    @Test
    void whatHasCompanyStaysCombined() {
        makeContended();
        combine(20, 5);
        assertThat(choose()).isEmpty();
        assertThat(gauge.view(KEY).company()).isEqualTo(1);
    }

    @Test
    void aSetStrategyIsNeverLeft() {
        Gauge set = new Gauge(Strategy.PESSIMISTIC, clock.nanos(), clock.instant());
        for (int i = 0; i < 30; i++) {
            set.attempted(clock.nanos(), true);
        }
        assertThat(set.choose(clock.nanos(), clock.instant())).isEmpty();
        assertThat(set.view(KEY).why()).isEqualTo("it is set for all stock");
    }

    @Test
    void whatIsNotUsedIsIdle() {
        attempts(1, 0);
        clock.advance(Duration.ofSeconds(9));
        assertThat(gauge.isIdle(clock.nanos(), Duration.ofSeconds(10).toNanos()))
                .isFalse();
        clock.advance(Duration.ofSeconds(1));
        assertThat(gauge.isIdle(clock.nanos(), Duration.ofSeconds(10).toNanos()))
                .isTrue();
    }

    /** One transaction of this process each 10 ms, which takes 5 ms, with so many changes of other processes in between. */
    private void alone(int transactions, int foreign) {
        for (int i = 0; i < transactions; i++) {
            clock.advance(Duration.ofMillis(10));
            version += foreign;
            long began = clock.nanos();
            clock.advance(Duration.ofMillis(5));
            gauge.committed(began, clock.nanos(), version, version + 1);
            version++;
            gauge.combined(clock.nanos(), 1);
        }
    }

    @Test
    void aRowThatOtherProcessesChangeAllTheTimeStaysCombined() {
        makeContended();
        alone(500, 9);
        assertThat(choose()).isEmpty();
        assertThat(gauge.strategy()).isEqualTo(Strategy.COMBINING);
    }

    /** Another process changes the row between each two transactions, but an attempt without a lock would hardly ever meet it. */
    @Test
    void changesOfOthersThatAreFarBetweenAreNoCompany() {
        makeContended();
        for (int i = 0; i < 20; i++) {
            clock.advance(Duration.ofSeconds(1));
            alone(1, 1);
        }
        assertThat(choose()).contains(Strategy.COMBINING);
        assertThat(gauge.strategy()).isEqualTo(Strategy.OPTIMISTIC);
    }

    @Test
    void aRowThatOtherProcessesHardlyChangeIsOptimisticAgain() {
        makeContended();
        for (int i = 0; i < 20; i++) {
            alone(1, 1);
            alone(49, 0);
        }
        assertThat(choose()).contains(Strategy.COMBINING);
    }
}
