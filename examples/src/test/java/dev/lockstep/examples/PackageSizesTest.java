package dev.lockstep.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Packages of main code stay small enough to be read as a whole. */
@Tag("once") // its subject is the source
class PackageSizesTest {
    private static final int MOST = 45;

    /** Packages that are still larger: each may shrink, and leaves this list when it has. */
    private static final Map<String, Integer> LARGER = Map.of(
            "core/src/main/java/dev/lockstep/core", 46,
            "testkit/src/main/java/dev/lockstep/testkit", 46,
            "examples/src/main/java/dev/lockstep/examples", 46);

    @Test
    @DisplayName("no package of main code has more than 45 files")
    void packages() {
        Map<String, Long> files = Repository.javaFiles().stream()
                .map(Repository.ROOT::relativize)
                .filter(file -> file.toString().contains("/src/main/"))
                .filter(file -> !file.toString().endsWith("-info.java"))
                .collect(Collectors.groupingBy(PackageSizesTest::folder, Collectors.counting()));
        assertThat(files)
                .hasSizeGreaterThan(30)
                .allSatisfy((folder, number) ->
                        assertThat(number).as(folder).isLessThanOrEqualTo(LARGER.getOrDefault(folder, MOST)));
    }

    private static String folder(Path file) {
        return file.getParent().toString().replace('\\', '/');
    }
}
