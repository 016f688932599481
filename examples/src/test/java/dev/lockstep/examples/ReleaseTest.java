package dev.lockstep.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What leaves this repository, as far as that can be seen without building it: scripts/consumer and scripts/reproducible build it. */
@Tag("once")
class ReleaseTest {
    private static final String VERSION = Pom.of("pom.xml").one("/project/version");

    private static String read(String file) {
        return Repository.read(Repository.ROOT.resolve(file));
    }

    @Test
    @DisplayName("the bill of materials lists the published modules, and only those")
    void billOfMaterials() {
        List<String> published = Pom.published().stream()
                .map(pom -> pom.one("/project/artifactId"))
                .toList();
        assertThat(published).hasSizeGreaterThan(5);
        assertThat(Pom.of("bom/pom.xml").all("//dependencyManagement//dependency/artifactId"))
                .containsExactlyInAnyOrderElementsOf(published);
    }

    @Test
    @DisplayName("every published module says its name and what it is, and the licence is that of the parent")
    void metadata() {
        assertThat(Pom.published()).allSatisfy(pom -> {
            assertThat(pom.one("/project/name")).startsWith("Lockstep");
            assertThat(pom.one("/project/description")).isNotBlank();
            assertThat(pom.one("/project/parent/artifactId")).isEqualTo("lockstep-parent");
        });
        assertThat(Stream.of("pom.xml", "bom/pom.xml").map(Pom::of))
                .allSatisfy(pom ->
                        assertThat(pom.one("/project/licenses/license/name")).isEqualTo("Apache-2.0"));
    }

    @Test
    @DisplayName("an unpublished module makes no sources and no Javadoc, and is not installed")
    void unpublished() {
        List<String> modules = Pom.of("pom.xml").all("/project/modules/module");
        List<Pom> unpublished = modules.stream()
                .map(module -> Pom.of(module + "/pom.xml"))
                .filter(pom -> !pom.all("/project/properties/maven.deploy.skip").isEmpty())
                .toList();
        assertThat(unpublished)
                .isNotEmpty()
                .allSatisfy(pom -> assertThat(
                                pom.all("/project/properties/*[starts-with(local-name(), 'maven.') and . = 'true']"))
                        .as(pom.one("/project/artifactId"))
                        .hasSize(4)); // install, deploy, source, javadoc
    }

    @Test
    @DisplayName("all say the same version: modules, the bill of materials, the application that uses them, the docs")
    void oneVersion() {
        assertThat(Pom.of("bom/pom.xml").one("/project/version")).isEqualTo(VERSION);
        assertThat(Pom.published())
                .allSatisfy(
                        pom -> assertThat(pom.one("/project/parent/version")).isEqualTo(VERSION));
        assertThat(Pom.of("examples/consumer/pom.xml")
                        .one("//dependencyManagement//dependency[artifactId='lockstep-bom']/version"))
                .isEqualTo(VERSION);
        assertThat(read("examples/consumer/build.gradle")).contains("dev.lockstep:lockstep-bom:" + VERSION + "'");
    }

    @Test
    @DisplayName("what the docs say to write into a build is what the application of scripts/consumer has")
    void snippets() {
        String maven = between("examples/consumer/pom.xml", "<!-- tag::maven -->", "<!-- end::maven -->");
        String gradle = between("examples/consumer/build.gradle", "// tag::gradle", "// end::gradle");
        assertThat(blocks("README.md", "xml")).containsExactly(maven);
        assertThat(blocks("README.md", "groovy")).containsExactly(gradle);
    }

    private static String between(String file, String start, String end) {
        String text = read(file);
        assertThat(text).contains(start, end);
        return text.substring(text.indexOf(start) + start.length(), text.indexOf(end))
                .stripIndent()
                .strip();
    }

    private static List<String> blocks(String document, String language) {
        return Pattern.compile("(?s)```" + language + "\n(.*?)```")
                .matcher(read(document))
                .results()
                .map(block -> block.group(1).stripIndent().strip())
                .toList();
    }

    @Test
    @DisplayName("what the image copies is there, or is what the command's module builds")
    void image() {
        Pom cli = Pom.of("cli/pom.xml");
        String jar = cli.one("/project/build/finalName") + ".jar";
        String libraries =
                cli.one("//configuration/outputDirectory").replace("${project.build.directory}", "cli/target");
        List<String> copied = copiedIntoTheImage();
        assertThat(copied).contains("/src/cli/target/" + jar, "/src/" + libraries, "LICENSE", "NOTICE");
        assertThat(copied.stream().filter(path -> !path.startsWith("/src/cli/target/")))
                .allSatisfy(path -> assertThat(Repository.ROOT.resolve(path)).exists());
        assertThat(read("Dockerfile")).contains("\"/opt/lockstep/" + jar + "\"]");
        assertThat(read("Dockerfile"))
                .containsPattern("(?m)^CMD \\[\"serve\", \"--host\", \"0\\.0\\.0\\.0\",")
                .containsPattern("(?m)^HEALTHCHECK ")
                .contains("GET /actuator/health/liveness")
                .doesNotContain(
                        "TieredStopAtLevel",
                        "ENV LOCKSTEP_TOKEN"); // the server is compiled well, and has no built-in token

        String main = cli.one("//manifest/mainClass").replace('.', '/') + ".java";
        assertThat(Repository.ROOT.resolve("cli/src/main/java").resolve(main)).exists();
    }

    private static List<String> copiedIntoTheImage() {
        return Pattern.compile("(?m)^COPY (?:--from=build )?(.*) \\S+$")
                .matcher(read("Dockerfile"))
                .results()
                .flatMap(copy -> Stream.of(copy.group(1).split(" ")))
                .toList();
    }

    @Test
    @DisplayName("the image runs as an unprivileged user, from what was built in another one")
    void imageStages() {
        List<MatchResult> stages = Pattern.compile("(?m)^FROM (\\S+)(?: AS (\\w+))?$")
                .matcher(read("Dockerfile"))
                .results()
                .toList();
        assertThat(stages).hasSize(2);
        assertThat(stages.get(1).group(1)).endsWith("-jre");
        String last = read("Dockerfile").substring(stages.get(1).start());
        assertThat(last).containsPattern("(?m)^USER (?!root|0\\b)").doesNotContain("mysql-connector");
    }

    @Test
    @DisplayName("the image is built from the sources of every module, and from no build of this machine")
    void imageSources() {
        List<String> ignored = read(".dockerignore").lines().toList();
        assertThat(ignored).contains("**/target", "**/target-*", ".git");
        List<String> modules = Pom.of("pom.xml").all("/project/modules/module");
        assertThat(ignored).doesNotContainAnyElementsOf(modules);
    }

    @Test
    @DisplayName("the scripts that build it can be run")
    void scripts() {
        assertThat(Stream.of("consumer", "reproducible").map(Repository.ROOT.resolve("scripts")::resolve))
                .allMatch(Files::isExecutable);
        assertThat(read("check")).contains("prove consumer", "prove reproducible");
    }
}
