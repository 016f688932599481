package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code lockstep provision} does without a server. */
class ProvisionTextsTest {
    @Test
    void sqlNeedsNoStoreAndKindsComeInAnyOrder() {
        Run run = Run.of(
                "provision",
                "--print-sql",
                "--kind",
                "resource:2:account:leaf",
                "--kind",
                "account:1:user",
                "--kind",
                "user:0",
                "--buckets",
                "10000000");
        assertThat(run.code()).as(run.all()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("CREATE TABLE IF NOT EXISTS hier_lock_buckets", "'resource'", "10000000");
    }

    @ParameterizedTest
    @CsvSource({
        "user, can't be read",
        "user:x, can't be read",
        "user:0:a:b, can't be read",
        "user:0:a:leaf:b, can't be read",
        "account:1:user, Add --kind user:RANK",
        "User:0, can't be used in a key",
        "me:1:me, its own ancestor"
    })
    void aKindThatCantBe(String kind, String said) {
        Run run = Run.of("provision", "--print-sql", "--kind", kind);
        assertThat(run.code()).isEqualTo(ExitCode.USAGE.number());
        assertThat(run.err()).contains(said);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void aKindThatIsDeclaredTwice() {
        assertThat(Run.of("provision", "--print-sql", "--kind", "a:0", "--kind", "a:1")
                        .err())
                .contains("'a' is declared twice");
    }

    @Test
    void badLinesAreNamedByTheirNumbers(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("keys"), "user:u1\n\nu2\nuser:\ncube:c\n");
        Run run = Run.of("provision", "--print-sql", "--kind", "user:0", "--ids-from", file.toString());
        assertThat(run.code()).isEqualTo(ExitCode.USAGE.number());
        assertThat(run.err())
                .contains("3 lines without a key", "line 3: The key 'u2'", "line 4:", "line 5:", "unknown kind 'cube'")
                .doesNotContain("line 1:");
    }

    @Test
    void bytesThatAreNoText(@TempDir Path directory) throws IOException {
        Path file = Files.write(directory.resolve("keys"), new byte[] {'u', (byte) 0xFF, '\n'});
        assertThat(Run.of("provision", "--print-sql", "--kind", "user:0", "--ids-from", file.toString())
                        .err())
                .contains("can't be read as UTF-8");
    }

    @ParameterizedTest
    @CsvSource({"/no/such/file, There is no file", "/, failed"})
    void aFileThatIsNone(String file, String said) {
        Run run = Run.of("provision", "--print-sql", "--kind", "user:0", "--ids-from", file);
        assertThat(run.code()).isEqualTo(ExitCode.USAGE.number());
        assertThat(run.err()).contains(said);
    }

    @Test
    void keysNeedTheirKinds() {
        assertThat(Run.of("provision", "--print-sql", "--ids-from", "-").err()).contains("Add --kind for each");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "redis://127.0.0.1:1", "jdbc:postgresql://127.0.0.1:1/x"})
    void othersNeedNoRowsAndNoConnection(String store) {
        Run run = Run.of("provision", "--store", store, "--kind", "user:0");
        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("there is nothing to provision");
        Run sql = Run.of("provision", "--store", store, "--kind", "user:0", "--print-sql");
        assertThat(sql.out()).isEmpty();
        assertThat(sql.err()).contains("there is nothing to provision");
    }
}
