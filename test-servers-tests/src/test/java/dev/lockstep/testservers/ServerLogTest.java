package dev.lockstep.testservers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerLogTest {

    @Test
    void aMissingLibraryIsNamedWithItsPackage() {
        String log = "mysqld: error while loading shared libraries: libaio.so.1: cannot open shared object file";
        assertThat(ServerLog.failure("exit code 127", log))
                .isInstanceOf(MissingLibraryException.class)
                .hasMessageContaining("lacks libaio.so.1")
                .hasMessageContaining("apt-get install libaio1");
        assertThat(ServerLog.failure("exit code 1", "out of disk"))
                .isNotInstanceOf(MissingLibraryException.class)
                .hasMessageContaining("exit code 1")
                .hasMessageContaining("out of disk");
    }

    @Test
    void onlyTheLastLinesAreShown() {
        String log = IntStream.range(0, 100).mapToObj(i -> "line " + i).collect(Collectors.joining("\n"));
        assertThat(ServerLog.lastLines(log)).startsWith("line 70\n").endsWith("line 99");
    }

    @Test
    void whatWasThereBeforeIsLeftOut(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("log"), "ready");
        ServerLog log = ServerLog.from(file);
        assertThat(log.text()).isEmpty();
        Files.writeString(file, "ready again");
        assertThat(log.text()).isEqualTo(" again");
    }
}
