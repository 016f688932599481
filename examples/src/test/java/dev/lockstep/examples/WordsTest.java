package dev.lockstep.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Docs, comments and messages are in plain words: none of the phrases of {@code config/words.txt}; each name means one class. */
@Tag("once") // its subject is the source
class WordsTest {
    private static final Set<String> PROGRAMS = Set.of("java", "js", "ts");
    private static final Set<String> TEXTS =
            Set.of("lua", "sql", "yaml", "yml", "properties", "json", "html", "xml", "md");

    private static String ending(Path file) {
        String name = file.getFileName().toString();
        return name.substring(name.lastIndexOf('.') + 1);
    }

    private static boolean isMainCode(Path file) {
        String path = Repository.ROOT.relativize(file).toString();
        return !path.contains("/target/")
                && (path.contains("/src/main/") || path.matches("browser/(package|demo|samples)/.*"));
    }

    private static Stream<String> problems(Path file) {
        String name = Repository.ROOT.relativize(file).toString();
        String text = Repository.read(file);
        List<String> found = PROGRAMS.contains(ending(file)) ? Phrases.inCode(text) : Phrases.in(text);
        return found.stream().map(each -> name + " " + each);
    }

    @Test
    @DisplayName("docs have none of the phrases that the project does not use")
    void docs() {
        assertThat(Repository.documents().stream()
                        .filter(file -> !file.endsWith("docs/sources.md")) // quotes the names of tests
                        .flatMap(WordsTest::problems))
                .isEmpty();
    }

    @Test
    @DisplayName("comments and messages of main code have none of them either")
    void mainCode() {
        assertThat(Repository.modules()
                        .flatMap(module -> Repository.files(module, ""))
                        .filter(WordsTest::isMainCode)
                        .filter(file -> PROGRAMS.contains(ending(file)) || TEXTS.contains(ending(file)))
                        .flatMap(WordsTest::problems))
                .isEmpty();
    }

    @Test
    @DisplayName("no two classes of main code have the same simple name")
    void names() {
        Map<String, List<Path>> byName = Repository.javaFiles().stream()
                .filter(WordsTest::isMainCode)
                .filter(file -> !file.toString().endsWith("-info.java"))
                .collect(Collectors.groupingBy(file -> file.getFileName().toString()));
        assertThat(byName.values()).filteredOn(files -> files.size() > 1).isEmpty();
    }

    @Test
    @DisplayName("the titles of the last commits have at most 72 characters")
    void commitTitles() throws Exception { // a shallow clone has fewer
        assumeTrue(Files.exists(Repository.ROOT.resolve(".git")), "not a clone");
        Process log = new ProcessBuilder("git", "log", "-n", "30", "--no-merges", "--format=%s")
                .directory(Repository.ROOT.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<String> titles = new String(log.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        assumeTrue(log.waitFor() == 0, "git can't read the history");
        assertThat(titles)
                .isNotEmpty()
                .allSatisfy(title ->
                        assertThat(title.codePoints().count()).as(title).isLessThanOrEqualTo(72));
    }

    @Test
    @DisplayName("the check sees a phrase in a comment, a text and a document, and nothing in code")
    void checkSees() {
        String code = """
                /** Locks are given
                 * back. */
                void giveBack(Object nobody) {
                    say("Nobody " + nobody); // it goes on
                }
                """;
        assertThat(Phrases.inCode(code))
                .containsExactlyInAnyOrder(
                        "line 1: 'given\n * back': release (a lock), return (a connection), cancel (a reservation)",
                        "line 4: 'Nobody': name the role: no other process, another holder, the caller",
                        "line 4: 'goes on': continue, proceed");
        assertThat(Phrases.in("As long as it runs, the timeout is over 5 s. It is told.\n"))
                .singleElement()
                .satisfies(found -> assertThat(found).startsWith("line 1: 'is told'"));
    }
}
