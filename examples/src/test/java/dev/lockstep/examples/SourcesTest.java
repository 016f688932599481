package dev.lockstep.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.examples.TestReports.Evidence;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The table of docs/sources.md names only classes and tests that exist. */
class SourcesTest {
    private static final String LATER = "comes with ";
    private static final Pattern NAME = Pattern.compile("`([A-Z]\\w*)`|\"([^\"]+)\"");

    /** The names of all classes that are in files of their own. Two modules may have a class of one name. */
    private static final Set<String> CLASSES =
            Repository.javaFiles().stream().map(SourcesTest::className).collect(Collectors.toSet());

    private static final TestReports REPORTS = TestReports.ofThisBuild();

    private static final TestSources TESTS = TestSources.of(Repository.javaFiles().stream()
            .filter(file ->
                    file.toString().contains("/src/test/") || file.startsWith(Repository.ROOT.resolve("testkit")))
            .toList());

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

    /** What a text names that doesn't exist or doesn't run: classes in backticks, each followed by its tests in quotes. */
    private static List<String> missing(String text) {
        List<String> missing = new ArrayList<>();
        String owner = "(no class)";
        Matcher name = NAME.matcher(text);
        while (name.find()) {
            if (name.group(1) == null) {
                missing(owner, name.group(2)).ifPresent(missing::add);
            } else {
                owner = name.group(1);
                if (!CLASSES.contains(owner)) {
                    missing.add("class " + owner);
                }
            }
        }
        return missing;
    }

    private static Optional<String> missing(String owner, String test) {
        List<TestSources.Found> found = TESTS.find(owner, test);
        if (found.isEmpty()) {
            return Optional.of("test \"" + test + "\" in " + owner);
        }
        Set<Evidence> evidence = found.stream().map(REPORTS::of).collect(Collectors.toSet());
        return evidence.contains(Evidence.DID_NOT_RUN) && !evidence.contains(Evidence.RAN)
                ? Optional.of("test \"" + test + "\" in the reports of " + owner)
                : Optional.empty();
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
            }
        });
        assertThat(rows.stream()
                        .flatMap(cells -> missing(cells.get(2) + " " + cells.get(3)).stream()
                                .map(each -> cells.get(0) + ": " + each)))
                .as("what is missing")
                .isEmpty();
    }

    @Test
    @DisplayName("every test that docs/hierlock-scenarios.md names exists")
    void scenarios() {
        List<String> tests = document("hierlock-scenarios.md")
                .lines()
                .filter(line -> line.startsWith("Test"))
                .toList();
        assertThat(tests)
                .hasSizeGreaterThanOrEqualTo(8)
                .allSatisfy(line -> assertThat(line).contains("\""));
        assertThat(tests.stream().flatMap(line -> missing(line).stream()))
                .as("what is missing")
                .isEmpty();
    }

    /** Whoever does one of them takes it off the list, and nothing else is put off without a word here. */
    @Test
    @DisplayName("what comes later is what is known to come later")
    void later() {
        assertThat(rows(document("sources.md")))
                .filteredOn(cells -> cells.get(2).startsWith(LATER))
                .allSatisfy(cells ->
                        assertThat(cells.get(3)).as("tests of " + cells.get(0)).isEmpty())
                .extracting(cells -> cells.get(0))
                .isEmpty();
    }

    @Test
    @DisplayName("the check sees what is missing")
    void seesWhatIsMissing() {
        assertThat(missing("`LockPlan` `FacadesTest` \"thin\" \"deadlock_테스트_역순_Lock_획득\""))
                .isEmpty();
        assertThat(missing("`NoSuchClass`, `FacadesTest` \"no such test\" \"acquire\""))
                .containsExactly(
                        "class NoSuchClass",
                        "test \"no such test\" in FacadesTest",
                        "test \"acquire\" in FacadesTest"); // a helper
        assertThat(rows("| section | a | b | c |\n|---|---|---|---|\n| one | a | b | c |\n"))
                .containsExactly(List.of("one", "a", "b", "c", ""));
    }
}
