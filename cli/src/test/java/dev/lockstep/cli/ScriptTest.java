package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The script at the root of the repository, in a copy where everything is built already and Java only tells how it was called. */
@Tag("slow")
@Tag("once")
@Timeout(60)
class ScriptTest {
    private static final Path ROOT = root();

    @TempDir
    private Path copy;

    private static Path root() {
        Path path = Path.of("").toAbsolutePath();
        while (!Files.exists(path.resolve("lockstep")) || !Files.exists(path.resolve("scripts/toolchain.sh"))) {
            path = path.getParent();
        }
        return path;
    }

    @BeforeEach
    void builtCopy() throws IOException {
        for (String file : List.of("lockstep", "scripts/toolchain.sh", "pom.xml")) {
            Path target = copy.resolve(file);
            Files.createDirectories(target.getParent());
            Files.copy(ROOT.resolve(file), target, StandardCopyOption.COPY_ATTRIBUTES);
        }
        write("cli/target/lockstep-cli.jar", "");
        write("examples/target/lockstep-examples.jar", "");
        write("jdk/release", "JAVA_VERSION=\"17.0.15\"\n");
        executable("jdk/bin/javac", "");
        executable("jdk/bin/java", "echo \"in $PWD\"; for each; do echo \"$each\"; done; exit 7\n");
        executable("tools/mvn", "echo 'Maven was called'; exit 1\n");
        write("target/cli.stamp", "");
        write("target/lockstep.stamp", "");
    }

    private void write(String file, String text) throws IOException {
        Files.createDirectories(copy.resolve(file).getParent());
        Files.writeString(copy.resolve(file), text);
    }

    private void executable(String file, String text) throws IOException {
        write(file, "#!/usr/bin/env bash\n" + text);
        assertThat(copy.resolve(file).toFile().setExecutable(true)).isTrue();
    }

    private Run run(Map<String, String> variables, String... args) throws Exception {
        Files.createDirectories(copy.resolve("elsewhere"));
        ProcessBuilder builder = new ProcessBuilder(Stream.concat(Stream.of("bash", "../lockstep"), Stream.of(args))
                        .toList())
                .directory(copy.resolve("elsewhere").toFile())
                .redirectInput(new File("/dev/null"));
        builder.environment().put("JAVA_HOME", copy.resolve("jdk").toString());
        builder.environment().put("PATH", copy.resolve("tools") + File.pathSeparator + System.getenv("PATH"));
        builder.environment().putAll(variables);
        Path out = copy.resolve("out");
        Path err = copy.resolve("err");
        Process process =
                builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
        return new Run(
                process.exitValue(),
                Files.readString(out, StandardCharsets.UTF_8),
                Files.readString(err, StandardCharsets.UTF_8));
    }

    @Test
    void theCommandRunsWhereItWasCalledWithNothingElseOnItsOutput() throws Exception {
        Run run = run(Map.of("LOCKSTEP_CLASSPATH", "driver.jar"), "provision", "--ids-from", "my keys");
        assertThat(run.code()).as(run.all()).isEqualTo(7);
        assertThat(run.err()).isEmpty();
        assertThat(run.lines().get(0)).endsWith("/elsewhere");
        assertThat(run.lines())
                .endsWith("dev.lockstep.cli.Lockstep", "provision", "--ids-from", "my keys")
                .contains("-Dlockstep.command=../lockstep")
                .anyMatch(line -> line.endsWith("/cli/target/lockstep-cli.jar:driver.jar"))
                .noneMatch(line -> line.startsWith("-Dlockstep.columns"));
    }

    @Test
    void theHelpGoesOnWithWhatTheCheckoutHas() throws Exception {
        executable("jdk/bin/java", "echo 'Usage: lockstep'\n");
        Run run = run(Map.of(), "--help");
        assertThat(run.code()).as(run.all()).isZero();
        assertThat(run.out()).startsWith("Usage: lockstep").contains("In a checkout also:", "demo [NAME]");
        assertThat(run(Map.of(), "help").out()).isEqualTo(run.out());
    }

    @Test
    void examplesRunInTheDemo() throws Exception {
        assertThat(run(Map.of(), "demo", "QuickStart").lines())
                .endsWith("-jar", "examples/target/lockstep-examples.jar", "QuickStart");
        assertThat(run(Map.of()).lines()).endsWith("-jar", "examples/target/lockstep-examples.jar");
        Run old = run(Map.of(), "QuickStart");
        assertThat(old.code()).isEqualTo(ExitCode.USAGE.number());
        assertThat(old.err()).contains("./lockstep demo QuickStart");
    }

    @Test
    void theServerIsCompiledWellAndOtherCommandsFast() throws Exception {
        assertThat(run(Map.of(), "serve", "--demo").lines())
                .endsWith("dev.lockstep.cli.Lockstep", "serve", "--demo")
                .doesNotContain("-XX:TieredStopAtLevel=1");
        assertThat(run(Map.of(), "size").lines()).contains("-XX:TieredStopAtLevel=1");
    }

    @Test
    void startsOfTheServerAreRehearsedOnceAfterABuild() throws Exception {
        executable("jdk/bin/java", """
                for each; do
                  echo "$each"
                  case $each in -XX:ArchiveClassesAtExit=*) echo classes >"${each#*=}" ;; esac
                done
                """);
        Run first = run(Map.of(), "serve");
        assertThat(first.err()).isEqualTo("Preparing fast starts, once ...\n");
        assertThat(first.lines())
                .endsWith("dev.lockstep.cli.Lockstep", "serve")
                .anyMatch(line -> line.matches("-XX:SharedArchiveFile=.*/target/serve-17.jsa"))
                .noneMatch(line -> line.contains("rehearse"));
        assertThat(copy.resolve("target/serve-archive.log")).content().contains("--rehearse");
        assertThat(run(Map.of(), "serve")).isEqualTo(new Run(0, first.out(), ""));
    }

    @Test
    void aRehearsalThatFailsOnlyCostsTime() throws Exception {
        assertThat(run(Map.of(), "serve").lines())
                .endsWith("dev.lockstep.cli.Lockstep", "serve")
                .noneMatch(line -> line.contains("SharedArchiveFile"));
        assertThat(run(Map.of(), "serve").err()).isEmpty();
    }

    @Test
    void aNewerSourceIsBuiltFirstAndTheErrorStreamTells() throws Exception {
        write("cli/src/main/New.java", "");
        Files.setLastModifiedTime(
                copy.resolve("target/cli.stamp"), java.nio.file.attribute.FileTime.fromMillis(1_000_000));
        executable(
                "tools/mvn", "case $* in *-v*) echo 'Apache Maven 3.9.9' ;; *) echo '[INFO] BUILD'; exit 1 ;; esac\n");
        Run run = run(Map.of(), "size");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("Building ...", "the build failed");
    }

    @Test
    void theJdkOfTheLastBuildIsRemembered() throws Exception {
        write("target/jdk-home", copy.resolve("jdk") + "\n");
        Run run = run(Map.of("JAVA_HOME", ""), "size");
        assertThat(run.code()).as(run.all()).isEqualTo(7);
    }
}
