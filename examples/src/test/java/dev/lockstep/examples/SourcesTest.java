package dev.lockstep.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The table of docs/sources.md names only classes and tests that exist. */
class SourcesTest {
    private static final String LATER = "comes with ";
    private static final Pattern NAME = Pattern.compile("`([A-Z]\\w*)`|\"([^\"]+)\"");

    /** The text of every Java file, by the name of its class. Two modules may have a class of one name. */
    private static final Map<String, String> CLASSES = Repository.javaFiles().stream()
            .collect(Collectors.toMap(SourcesTest::className, Repository::read, String::concat));

    private static String className(Path file) {
        return file.getFileName().toString().replace(".java", "");
    }

    private static String document(String name) {
        return Repository.read(Repository.ROOT.resolve("docs").resolve(name));
    }

    /** The cells of a document's table rows, without headings. */
    private static List<List<String>> rows(String document) {
        return document.lines()
                .filter(line -> line.startsWith("| "))
                .map(line -> Arrays.stream(line.substring(1).split("\\|", -1))
                        .map(String::strip)
                        .toList())
                .filter(cells -> !cells.get(0).equals("section"))
                .toList();
    }

    /** What a text names that doesn't exist: classes in backticks, each followed by its tests in quotes. */
    private static List<String> missing(String text) {
        List<String> missing = new ArrayList<>();
        String source = "";
        String owner = "(no class)";
        Matcher name = NAME.matcher(text);
        while (name.find()) {
            if (name.group(1) != null) {
                owner = name.group(1);
                source = CLASSES.getOrDefault(owner, "");
                if (source.isEmpty()) {
                    missing.add("class " + owner);
                }
            } else if (!hasTest(source, name.group(2))) {
                missing.add("test \"" + name.group(2) + "\" in " + owner);
            }
        }
        return missing;
    }

    private static boolean hasTest(String source, String test) {
        return source.contains("\"" + test + "\"")
                || source.contains("\"" + test + ", ") // a row of a parameterized test
                || source.contains(" " + test + "(");
    }

    @Test
    @DisplayName("every class and test that docs/sources.md names exists")
    void sources() {
        List<List<String>> rows = rows(document("sources.md"));
        assertThat(rows).hasSizeGreaterThan(20).allSatisfy(cells -> {
            assertThat(cells).as("cells of a row").hasSize(5); // the last one is what follows the row
            if (!cells.get(2).startsWith(LATER)) {
                assertThat(cells.get(2)).as("classes of " + cells.get(0)).contains("`");
                assertThat(cells.get(3)).as("tests of " + cells.get(0)).contains("\"");
                assertThat(missing(cells.get(2) + " " + cells.get(3))).isEmpty();
            }
        });
    }

    @Test
    @DisplayName("every test that docs/hierlock-scenarios.md names exists")
    void scenarios() {
        List<String> tests = document("hierlock-scenarios.md")
                .lines()
                .filter(line -> line.startsWith("Test"))
                .toList();
        assertThat(tests).hasSizeGreaterThanOrEqualTo(8).allSatisfy(line -> {
            assertThat(line).contains("\"");
            assertThat(missing(line)).isEmpty();
        });
    }

    @Test
    @DisplayName("parts of the sources that come later")
    void later() {
        List<String> later = rows(document("sources.md")).stream()
                .filter(cells -> cells.get(2).startsWith(LATER))
                .map(cells -> cells.get(0))
                .toList();
        Assumptions.assumeTrue(
                later.isEmpty(), later.size() + " rows of docs/sources.md name no class and no test yet: " + later);
    }

    @Test
    @DisplayName("the check sees what is missing")
    void seesWhatIsMissing() {
        assertThat(missing("`LockPlan` `FacadesTest` \"thin\" \"deadlock_테스트_역순_Lock_획득\""))
                .isEmpty();
        assertThat(missing("`NoSuchClass`, `FacadesTest` \"no such test\""))
                .containsExactly("class NoSuchClass", "test \"no such test\" in FacadesTest");
        assertThat(rows("| section | a | b | c |\n|---|---|---|---|\n| one | a | b | c |\n"))
                .containsExactly(List.of("one", "a", "b", "c", ""));
    }
}
