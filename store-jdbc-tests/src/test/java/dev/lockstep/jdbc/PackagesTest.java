package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Packages refer to each other in one direction: the root to all others, and all others only to those listed here. */
class PackagesTest {
    private static final Path ROOT = Path.of("../store-jdbc/src/main/java/dev/lockstep/jdbc");
    private static final Pattern REFERENCE = Pattern.compile("dev\\.lockstep\\.jdbc\\.(\\w+)");

    /** The packages that each may refer to. They form no cycle. */
    private static final Map<String, Set<String>> ALLOWED = Map.of(
            "sql", Set.of(),
            "tables", Set.of("sql"),
            "provisioning", Set.of("sql", "tables"),
            "fencing", Set.of("sql"),
            "epochs", Set.of("sql", "numbers"),
            "numbers", Set.of("sql"),
            "slots", Set.of("sql", "tables"),
            "doctor", Set.of("sql", "tables", "fencing", "epochs"));

    static Set<String> packages() {
        return ALLOWED.keySet();
    }

    @Test
    void everyPackageIsListed() throws IOException {
        try (Stream<Path> folders = Files.list(ROOT).filter(Files::isDirectory)) {
            assertThat(folders.map(folder -> folder.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(ALLOWED.keySet());
        }
    }

    /** A class of the root is a forbidden reference, too: its name stands where that of a package does. */
    @ParameterizedTest
    @MethodSource("packages")
    void aPackageRefersOnlyToThoseBelowIt(String name) throws IOException {
        Set<String> allowed = new TreeSet<>(ALLOWED.get(name));
        allowed.add(name);
        try (Stream<Path> files = Files.list(ROOT.resolve(name))) {
            for (Path file : files.toList()) {
                assertThat(references(file)).as(file.toString()).isSubsetOf(allowed);
            }
        }
    }

    private static List<String> references(Path file) throws IOException {
        return REFERENCE
                .matcher(Files.readString(file))
                .results()
                .map(match -> match.group(1))
                .toList();
    }
}
