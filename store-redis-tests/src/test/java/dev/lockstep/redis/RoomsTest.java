package dev.lockstep.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Packages refer to each other in one direction: the root to the doctor, and both to connections. */
class RoomsTest {
    private static final Path ROOT = Path.of("../store-redis/src/main/java/dev/lockstep/redis");

    @ParameterizedTest
    @CsvSource({"connection, dev.lockstep.redis.[A-Zd]", "doctor, dev.lockstep.redis.[A-Z]"})
    void noReferenceGoesBack(String room, String forbidden) throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve(room))) {
            for (Path file : files.toList()) {
                List<String> imports = Files.readAllLines(file).stream()
                        .filter(line -> line.matches("import (static )?" + forbidden + ".*"))
                        .toList();
                assertThat(imports).as(file.toString()).isEmpty();
            }
        }
    }
}
