package dev.lockstep.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The documentation says what is true: its samples are compiled and run, and its links lead somewhere. */
class DocumentationTest {
    private static final Map<String, String> REGIONS =
            Samples.regions(sources().map(Repository::read).toList());

    private static Stream<Path> sources() {
        return Stream.of(
                        Repository.files("examples/src", ".java"),
                        Repository.files("browser/samples", ".js"),
                        Repository.files(
                                "spring-boot-starter-tests/src/test/java/dev/lockstep/spring/samples", ".java"),
                        Repository.files("spring-boot-starter-tests/src/test/resources/samples", ".yaml"))
                .flatMap(files -> files);
    }

    static Stream<Path> documents() {
        return Repository.documents().stream().map(Repository.ROOT::relativize);
    }

    private static String text(Path document) {
        return Repository.read(Repository.ROOT.resolve(document));
    }

    @ParameterizedTest
    @MethodSource("documents")
    @DisplayName("Java, JavaScript and YAML blocks are regions of what is compiled or run")
    void samples(Path document) {
        assertThat(Samples.problems(text(document), REGIONS)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("documents")
    @DisplayName("relative links lead to files and headings")
    void links(Path document) {
        assertThat(Links.broken(Repository.ROOT.resolve(document), text(document)))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("documents")
    @DisplayName("no path of one machine is in it")
    void noMachinePaths(Path document) {
        assertThat(text(document)).doesNotContainPattern("(?<![\\w.])/(work|home|root|Users|tmp)/");
    }

    @Test
    @DisplayName("the README's commands can be run as they are written")
    void commands() {
        String readme = Repository.read(Repository.ROOT.resolve("README.md"));
        String help = Repository.read(Repository.ROOT.resolve("docs/command-line.md"));
        List<MatchResult> commands = Pattern.compile("(?m)^\\./(\\w+)((?: [\\w-]++(?![:/.]))*)") // up to a URL
                .matcher(readme)
                .results()
                .toList();
        assertThat(new TreeSet<>(
                        commands.stream().map(command -> command.group(1)).toList()))
                .containsExactly("check", "lockstep");
        for (MatchResult command : commands) {
            Path script = Repository.ROOT.resolve(command.group(1));
            assertThat(script).isExecutable();
            String known = Repository.read(script) + help; // a test compares that page with the command's help
            assertThat(command.group(2).strip().split(" ", -1))
                    .allSatisfy(word -> assertThat(known.contains(word) || Demo.EXAMPLES.containsKey(word))
                            .as(command.group())
                            .isTrue());
        }
    }

    @Test
    @DisplayName("the checker sees a difference, a missing region and a block without a name")
    void checkerSees() {
        Map<String, String> regions = Samples.regions(List.of("""
                class Example {
                    // tag::sample
                    int one() {
                        return 1;
                    }
                    // end::sample
                }
                """));
        String same = """
                <!-- region: sample -->
                ```java
                int one() {
                    return 1;
                }
                ```
                """;
        assertThat(Samples.problems(same, regions)).isEmpty();
        assertThat(Samples.problems(same.indent(2), regions)).isEmpty();
        assertThat(Samples.problems(same.replace("return 1", "return 2"), regions))
                .singleElement()
                .satisfies(problem -> assertThat(problem).startsWith("line 2: not as in the region 'sample'"));
        assertThat(Samples.problems(same.replace("    return", "  return"), regions))
                .hasSize(1);
        assertThat(Samples.problems(same.replace("region: sample", "region: other"), regions))
                .containsExactly("line 2: there is no region 'other'");
        assertThat(Samples.problems(same.replaceFirst("<!--.*-->", "Text."), regions))
                .containsExactly("line 2: a block without <!-- region: name --> before it");
        assertThat(Samples.problems(same + "```java\nint one;\n```\n", regions)).hasSize(1);
        assertThat(Samples.problems("```yaml\na: 1\n```\n", regions)).hasSize(1);
        assertThat(Samples.regions(List.of("# tag::y\na: 1\n# end::y\n"))).containsEntry("y", "a: 1");
        assertThat(Samples.problems("```sh\n./check\n```\n", regions)).isEmpty();
    }

    @Test
    @DisplayName("the checker sees regions that don't end, end twice or are tagged twice")
    void checkerSeesBadRegions() {
        assertThatThrownBy(() -> Samples.regions(List.of("// tag::a\n"))).hasMessageContaining("[a]");
        assertThatThrownBy(() -> Samples.regions(List.of("// end::a\n"))).hasMessageContaining("'a'");
        String whole = "// tag::a\nint a;\n// end::a\n";
        assertThatThrownBy(() -> Samples.regions(List.of(whole, whole))).hasMessageContaining("twice");
    }

    @Test
    @DisplayName("the checker sees links that lead nowhere")
    void checkerSeesBrokenLinks() {
        Path readme = Repository.ROOT.resolve("README.md");
        String document = """
                # Two Words
                [a](check) [b](missing.md) [c](#two-words) [d](#three) [e](https://example.org/x) [f](docs/dependencies.md#tests)
                [g](docs/dependencies.md#nothing)
                """;
        assertThat(Files.exists(readme)).isTrue();
        assertThat(Links.broken(readme, document))
                .containsExactly("](missing.md)", "](#three)", "](docs/dependencies.md#nothing)");
    }
}
