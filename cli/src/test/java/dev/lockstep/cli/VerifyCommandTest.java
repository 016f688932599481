package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Tag("once")
@Timeout(300)
class VerifyCommandTest {
    @Test
    void printsARowForEachBehaviourAndASummary() {
        Run printed = Run.of("verify", "--store", "memory", "--only", "H4.1,H5.1,O8.2");

        assertThat(printed.code()).isZero();
        assertThat(printed.err()).isEmpty();
        assertThat(printed.out().lines().map(String::stripTrailing))
                .contains("Tried in the memory of this process. Nothing of it stays.")
                .anyMatch(line -> line.matches("✓ H4\\.1 +one resource, asked for twice +.* m?s"))
                .contains("          196 pairs, each as expected")
                .anyMatch(line -> line.matches("3 behaviours in .* m?s: 3 as they should be, 0 doubtful, 0 failed,.*"))
                .contains("What was tried is as it should be. There is more to try: leave --only out.")
                .allMatch(line -> line.length() <= 100);
    }

    @Test
    void printsAsciiWhereThereIsNothingElse() {
        Run printed = Run.on(false, false, "verify", "--store", "memory", "--only", "H4.2");

        assertThat(printed.out()).contains("ok   H4.2").isASCII();
    }

    @Test
    void jsonHasTheSameContent() {
        Run printed = Run.of("verify", "--store", "memory", "--only", "H4.1", "--json");

        JsonNode report = JsonMapper.shared().readTree(printed.out());
        assertThat(report.get("store").asString()).isEqualTo("memory");
        assertThat(report.get("proven").asBoolean()).isTrue();
        assertThat(report.get("outcomes").get("passed").asInt()).isEqualTo(1);
        JsonNode row = report.get("behaviours").get(0);
        assertThat(row.get("id").asString()).isEqualTo("H4.1");
        assertThat(row.get("title").asString()).isEqualTo("one resource, asked for twice");
        assertThat(row.get("expected").asString()).contains("granted after the release");
        assertThat(row.get("outcome").asString()).isEqualTo("passed");
        assertThat(row.get("seen").asString()).startsWith("refused, waited, and granted");
    }

    @Test
    void listsWithoutAStore() {
        Run printed = Run.of("verify", "--list", "--only", "H5");

        assertThat(printed.code()).isZero();
        assertThat(printed.out()).contains("H5.1", "H5.2").doesNotContain("H4.1", "✓");
    }

    @Test
    void anUnknownBehaviourIsAWrongCommandLine() {
        Run printed = Run.of("verify", "--store", "memory", "--only", "H77");

        assertThat(printed.code()).isEqualTo(2);
        assertThat(printed.err()).contains("no behaviour 'H77'");
        assertThat(printed.out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.9", "20.1", "NaN"})
    void aTermThatNoLeaseCanHaveIsRefused(String term) {
        Run printed = Run.of("verify", "--store", "memory", "--term", term);

        assertThat(printed.code()).isEqualTo(2);
        assertThat(printed.err()).contains("--term must be between 1 and 20 seconds, but was " + term);
    }

    @Test
    void aLimitWithoutTimeIsAWrongCommandLine() {
        Run printed = Run.of("verify", "--store", "memory", "--limit", "0");

        assertThat(printed.code()).isEqualTo(2);
        assertThat(printed.err()).contains("--limit 0 leaves no time");
    }

    @Test
    void aServerThatIsNotThereIsUnreachable() {
        for (String url : new String[] {"jdbc:postgresql://127.0.0.1:1/app", "redis://127.0.0.1:1"}) {
            Run printed = Run.of("verify", "--store", url);

            assertThat(printed.code()).as(printed.err()).isEqualTo(3);
            assertThat(printed.err()).startsWith("error: ").doesNotContain("\tat ");
            assertThat(printed.out()).isEmpty();
        }
    }
}
