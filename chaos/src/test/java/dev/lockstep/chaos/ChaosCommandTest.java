package dev.lockstep.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChaosCommandTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"--store oracle", "--store redis,oracle", "--minutes 0", "--minutes 101", "--minutes x", "--what"
            })
    void aWrongCommandLineIsRefused(String line) {
        assertThat(Chaos.run(line.split(" "))).isEqualTo(2);
    }

    @Test
    void historiesAreJudgedAgain(@TempDir Path directory) throws IOException {
        Script script = new Script()
                .line("conductor", 0, "setup name=redis seed=1")
                .healed(1)
                .lease("p0-0", "x:house:a", 100, 200, "0.1");
        write(script, Files.createDirectory(directory.resolve("redis")));
        assertThat(Chaos.run("check", directory.toString())).isZero();
        assertThat(Chaos.run("check", directory.resolve("redis").toString())).isZero();
        script.lease("p1-0", "x:house:a", 150, 250, "0.2");
        write(script, directory.resolve("redis"));
        assertThat(Chaos.run("check", directory.toString())).isEqualTo(1);
    }

    private static void write(Script script, Path directory) throws IOException {
        for (Map.Entry<String, List<String>> each : script.texts().entrySet()) {
            Files.write(directory.resolve(each.getKey() + History.SUFFIX), each.getValue());
        }
    }

    @Test
    void aDirectoryWithoutHistoriesIsRefused(@TempDir Path directory) {
        assertThat(Chaos.run("check", directory.toString())).isEqualTo(2);
        assertThat(Chaos.run("check", directory.resolve("missing").toString())).isEqualTo(2);
    }

    @Test
    void helpIsGiven() {
        assertThat(Chaos.run("--help")).isZero();
    }
}
