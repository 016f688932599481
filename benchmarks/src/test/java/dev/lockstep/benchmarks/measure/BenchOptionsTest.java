package dev.lockstep.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BenchOptionsTest {
    private static final Map<String, Integer> DEFAULTS = Map.of("--seconds", 4);

    @Test
    void namesAndNumbersAreToldApart() {
        BenchOptions options = BenchOptions.parse(List.of("mysql", "--seconds", "1_000", "mariadb"), DEFAULTS);
        assertThat(options.names()).containsExactly("mysql", "mariadb");
        assertThat(options.number("--seconds")).isEqualTo(1_000);
        assertThat(BenchOptions.parse(List.of(), DEFAULTS).number("--seconds")).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "x", "1.5", "9999999999"})
    void numberThatIsNoneIsRefused(String number) {
        assertThatThrownBy(() -> BenchOptions.parse(List.of("--seconds", number), DEFAULTS))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(number);
    }

    @Test
    void whatIsUnknownIsRefusedWithWhatIsKnown() {
        assertThatThrownBy(() -> BenchOptions.parse(List.of("--minutes", "1"), DEFAULTS))
                .hasMessageContaining("'--minutes'. Known: --seconds");
        assertThatThrownBy(() -> BenchOptions.parse(List.of("--seconds"), DEFAULTS))
                .isInstanceOf(UsageException.class);
        assertThatThrownBy(() -> LockServer.named("oracle"))
                .hasMessageContaining("'oracle'. Known: mysql, mariadb, postgresql");
    }

    @Test
    void flagsMayHaveWordsAndLists() {
        Map<String, String> words = Map.of("--clients", "1,8");
        assertThat(BenchOptions.parse(List.of(), DEFAULTS, words).list("--clients"))
                .containsExactly(1, 8);
        BenchOptions options = BenchOptions.parse(List.of("--clients", "128", "mysql"), DEFAULTS, words);
        assertThat(options.list("--clients")).containsExactly(128);
        assertThat(options.names()).containsExactly("mysql");
        assertThatThrownBy(() -> BenchOptions.parse(List.of("--clients", "--seconds"), DEFAULTS, words))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("--clients needs a word");
    }
}
