package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The script at the root of the repository, in a copy where everything is built already and Java only tells how it was called. */
@Tag("slow")
@Tag("once")
@Timeout(300)
class ScriptTest {
    @TempDir
    private Path directory;

    private ScriptCopy copy;

    @BeforeEach
    void builtCopy() throws IOException {
        copy = ScriptCopy.of(directory, "lockstep", "scripts/toolchain.sh", "pom.xml");
        copy.write("cli/target/lockstep-cli.jar", "");
        copy.write("examples/target/lockstep-examples.jar", "");
        copy.write("target/cli.stamp", "");
        copy.write("target/lockstep.stamp", "");
    }

    private Run run(Map<String, String> variables, String... args) throws Exception {
        return copy.run("lockstep", variables, args);
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
    void theHelpContinuesWithWhatTheCheckoutHas() throws Exception {
        copy.executable("jdk/bin/java", "echo 'Usage: lockstep'\n");
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
        copy.executable("jdk/bin/java", """
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
        assertThat(copy.path("target/serve-archive.log")).content().contains("--rehearse");
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
        copy.write("cli/src/main/New.java", "");
        Files.setLastModifiedTime(
                copy.path("target/cli.stamp"), java.nio.file.attribute.FileTime.fromMillis(1_000_000));
        copy.executable(
                "tools/mvn", "case $* in *-v*) echo 'Apache Maven 3.9.9' ;; *) echo '[INFO] BUILD'; exit 1 ;; esac\n");
        Run run = run(Map.of(), "size");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("Building ...", "the build failed");
    }

    @Test
    void theJdkOfTheLastBuildIsRemembered() throws Exception {
        copy.write("target/jdk-home", copy.path("jdk") + "\n");
        Run run = run(Map.of("JAVA_HOME", ""), "size");
        assertThat(run.code()).as(run.all()).isEqualTo(7);
    }
}
