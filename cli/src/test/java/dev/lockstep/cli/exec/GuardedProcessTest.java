package dev.lockstep.cli.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is left of a command that was stopped. */
@Tag("slow")
@Tag("once")
@Timeout(300)
class GuardedProcessTest {
    private static final String LOOP = "while :; do sleep 0.05; done";

    @TempDir
    Path folder;

    private GuardedProcess started(String script) throws Exception {
        Map<String, String> variables = Map.of("MARK", UUID.randomUUID().toString());
        GuardedProcess process =
                GuardedProcess.start(List.of("sh", "-c", script, folder.toString()), variables, "MARK");
        await().atMost(Duration.ofMinutes(1)).until(() -> Files.exists(folder.resolve("ready")));
        return process;
    }

    private void assertEnded() throws Exception {
        long other = Long.parseLong(Files.readString(folder.resolve("other")).strip());
        assertThat(ProcessHandle.of(other).filter(StartedProcesses::runs))
                .as("what the command started")
                .isEmpty();
    }

    @EnabledOnOs(OS.LINUX)
    @ParameterizedTest
    @ValueSource(strings = {"", "trap '' TERM;"})
    void whatACommandStartsWhenItIsStoppedIsStoppedToo(String first) throws Exception {
        Files.writeString(folder.resolve("other.sh"), first + LOOP);
        GuardedProcess process =
                started("trap 'sh $0/other.sh & echo $! > $0/other; exit 5' TERM; touch $0/ready; " + LOOP);
        process.stop(Duration.ofMillis(1_500));
        assertThat(process.await()).isEqualTo(5);
        assertEnded();
    }

    @EnabledOnOs(OS.LINUX)
    @Test
    void whatACommandLeftBehindIsStoppedToo() throws Exception {
        GuardedProcess process = started("sh -c '" + LOOP + "' & echo $! > $0/other; touch $0/ready");
        assertThat(process.await()).isZero();
        process.stop(Duration.ofMinutes(1));
        assertEnded();
    }
}
