package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./check} in a copy of the repository where Maven only records how it was called and leaves reports. */
@Tag("slow")
@Tag("once")
@Timeout(300)
class CheckScriptTest {
    private static final String PASSING =
            "<testsuite version=\"3.0.2\" name=\"%s\" time=\"%s\" tests=\"2\" errors=\"0\" skipped=\"0\" failures=\"0\">\n";

    @TempDir
    private Path directory;

    private ScriptCopy copy;

    @BeforeEach
    void copied() throws IOException {
        copy = ScriptCopy.of(directory, "check", "scripts/toolchain.sh", "scripts/report.sh", "pom.xml");
        copy.executable("tools/chromium", "");
        maven("mkdir -p core/target/surefire-reports; cp ../report.xml core/target/surefire-reports/TEST-a.xml");
        copy.write("report.xml", PASSING.formatted("dev.A", "1"));
    }

    /** Maven, which records its arguments and then runs this script in the root of the copy. */
    private void maven(String script) throws IOException {
        copy.executable("tools/mvn", """
                case $* in *-v*) echo 'Apache Maven 3.9.9'; exit ;; esac
                echo "$*" >>'%s'
                %s
                """.formatted(copy.path("calls"), script.replace("../", copy.path("") + "/")));
    }

    private String calls() throws IOException {
        return Files.readString(copy.path("calls"));
    }

    /** With a home directory of the copy, and no second JDK outside it. */
    private Run check(String... args) throws Exception {
        return copy.run("check", Map.of("HOME", copy.path("home").toString()), args);
    }

    @Test
    void modulesThatWereNotTestedAreListed() throws Exception {
        maven("""
                mkdir -p core/target/surefire-reports
                cp ../report.xml core/target/surefire-reports/TEST-a.xml
                echo '[INFO] Reactor Summary for Lockstep:'
                echo '[INFO] Lockstep Core ...................................... FAILURE [  1.0 s]'
                echo '[INFO] Lockstep Spring Boot starter ....................... SKIPPED'
                echo '[INFO] Lockstep server .................................... SKIPPED'
                exit 1
                """);
        Run run = check("--quick");
        assertThat(run.code()).as(run.all()).isEqualTo(1);
        assertThat(run.out())
                .contains("2 passed, 0 failed, 0 skipped")
                .contains("NOT TESTED, because a module that they need failed:")
                .contains("  JDK 17, Lockstep Spring Boot starter\n  JDK 17, Lockstep server\n")
                .doesNotContain("JDK 17, Lockstep Core");
    }

    @Test
    void theSlowestTestClassesAreShown() throws Exception {
        StringBuilder script = new StringBuilder("mkdir -p core/target/surefire-reports\n");
        for (int i = 1; i <= 12; i++) {
            copy.write("report" + i + ".xml", PASSING.formatted("dev.Test" + i, i + ".5"));
            script.append("cp ../report%d.xml core/target/surefire-reports/TEST-%d.xml%n".formatted(i, i));
        }
        maven(script.toString());
        List<String> lines = check("--quick").lines();
        int title = lines.indexOf("Slowest test classes on JDK 17, in seconds (several run side by side):");
        assertThat(lines.subList(title + 1, title + 11)).first().asString().containsPattern("12\\.5 +dev\\.Test12");
        assertThat(lines.get(title + 10)).containsPattern(" 3\\.5 +dev\\.Test3");
        assertThat(lines).noneMatch(line -> line.endsWith("dev.Test2"));
    }

    @Test
    void aCleanRunSeesNothingThatEarlierOnesLeft() throws Exception {
        copy.write("home/.m2/repository/dev/lockstep/lockstep-core/old.jar", "old");
        copy.write("home/.m2/repository/org/library/library.jar", "library");
        copy.write("home/.cache/lockstep/servers/mysql/programs", "old");
        copy.write("core/target/classes/Old.class", "old");
        maven("""
                for each; do case $each in -Dmaven.repo.local=*) repository=${each#*=} ;; esac; done
                ls "$repository/org/library" "$repository/dev" core/target "$LOCKSTEP_SERVERS" "$XDG_CONFIG_HOME" >../seen 2>&1
                echo "$LOCKSTEP_SERVERS" >../servers
                mkdir -p core/target/surefire-reports; cp ../report.xml core/target/surefire-reports/TEST-a.xml
                """);
        Run run = check("--quick", "--clean");
        assertThat(run.code()).as(run.all()).isZero();
        assertThat(copy.path("seen")).content().contains("library.jar").doesNotContain("lockstep-core", "Old.class");
        Path servers = Path.of(Files.readString(copy.path("servers")).strip());
        assertThat(servers).isAbsolute().doesNotExist();
        assertThat(servers.getParent()).as("removed at the end").doesNotExist();
        assertThat(copy.path("home/.m2/repository/dev/lockstep/lockstep-core/old.jar"))
                .exists();
        assertThat(copy.path("home/.m2/repository/org/library/library.jar")).exists();
        assertThat(copy.path("home/.cache/lockstep/servers/mysql/programs")).exists();
    }

    @Test
    void aPartOfTheLongRunTestsItsModulesOnly() throws Exception {
        Run run = check("--long=jdbc");
        assertThat(run.code()).as(run.all()).isZero();
        assertThat(calls())
                .contains("-Plong", "-pl store-jdbc-tests -am", "-Dtest=dev/lockstep/jdbc/**/*Test")
                .hasLineCount(2);
        assertThat(calls().lines().toList()).first().asString().contains("package", "-DskipTests");
        assertThat(run.out()).containsPattern("\\| jdbc \\| 2 \\| \\d+ min \\d+ s \\| \\d{4}-\\d\\d-\\d\\d \\|");
    }

    /** A new module belongs to a part of the long run, or its long tests never run. */
    @Test
    void everyModuleWithTestsBelongsToAPart() throws Exception {
        copy.executable("scripts/consumer", "exit 0");
        copy.executable("scripts/reproducible", "exit 0");
        Run run = check("--long");
        assertThat(run.code()).as(run.all()).isZero();
        TreeSet<String> expected = new TreeSet<>();
        for (String module : found("<module>(.*)</module>", Files.readString(ScriptCopy.ROOT.resolve("pom.xml")))) {
            if (Files.isDirectory(ScriptCopy.ROOT.resolve(module).resolve("src/test/java"))) {
                expected.add(module);
            }
        }
        TreeSet<String> tested = new TreeSet<>();
        for (String modules : found("-pl (\\S+)", calls())) {
            tested.addAll(List.of(modules.split(",")));
        }
        assertThat(tested).isEqualTo(expected);
        for (String module : tested) {
            Path packages = ScriptCopy.ROOT.resolve(module).resolve("src/test/java/dev/lockstep");
            assertThat(found("dev/lockstep/(\\w+)/", calls()))
                    .as("the package of " + module)
                    .containsAnyElementsOf(names(packages));
        }
    }

    private static List<String> names(Path directory) throws IOException {
        try (var files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    private static List<String> found(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }

    @Test
    void unknownFlagsAndPartsAreRefused() throws Exception {
        for (String arg : List.of("--long=nonsense", "--long=", "--nonsense")) {
            Run run = check(arg);
            assertThat(run.code()).as(arg).isEqualTo(2);
            assertThat(run.err()).startsWith("error: ").contains("Known: ", "./check --help");
        }
        assertThat(check("--quick", "--long").err()).contains("only one of --quick and --long");
        assertThat(copy.path("calls")).doesNotExist();
    }
}
