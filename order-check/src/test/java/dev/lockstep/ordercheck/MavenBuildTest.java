package dev.lockstep.ordercheck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The plugin as a user has it: the compiler as a process of its own, a jar on the processor path, beside Error Prone where the local repository has it. */
@Tag("slow")
@Tag("once")
class MavenBuildTest {
    @TempDir
    Path place;

    private static Path repository() {
        return Path.of(System.getProperty("user.home"), ".m2", "repository");
    }

    private Path jar() throws IOException {
        Path classes = Path.of(Compilation.pluginPath());
        if (Files.isRegularFile(classes)) {
            return classes;
        }
        Path jar = place.resolve("lockstep-order-check.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.walk(classes)) {
            for (Path each : files.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(
                        new JarEntry(classes.relativize(each).toString().replace(File.separatorChar, '/')));
                Files.copy(each, out);
            }
        }
        return jar;
    }

    private Path sources(boolean right) throws IOException {
        Path sources = Files.createDirectories(place.resolve("src/main/java/samples"));
        Files.writeString(
                sources.resolve("Game.java"), Compilation.resource(Path.of("src/test/resources/samples/Game.java")));
        String outer = right ? "CHARACTER" : "EQUIPMENT";
        String inner = right ? "EQUIPMENT" : "CHARACTER";
        Files.writeString(sources.resolve("Shop.java"), """
                package samples;
                import static dev.lockstep.core.LockRequest.exclusive;
                import static samples.Game.*;
                import dev.lockstep.core.Locks;
                class Shop {
                    void sell(Locks locks) {
                        locks.run(exclusive(%s.key("a")), l -> locks.run(exclusive(%s.key("b")), m -> {}));
                    }
                }
                """.formatted(outer, inner));
        return sources;
    }

    /** Runs a command here, and returns what it said. */
    private String run(int expected, List<String> command) throws Exception {
        Path said = place.resolve("said");
        Process process = new ProcessBuilder(command)
                .directory(place.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        String text = Files.readString(said);
        assertThat(process.exitValue()).as(text).isEqualTo(expected);
        return text;
    }

    private List<String> compiler(String processorPath, String... more) {
        String java = Path.of(System.getProperty("java.home"), "bin", "javac").toString();
        return Stream.of(
                        List.of(java, "-d", "classes", "-cp", System.getProperty("java.class.path")),
                        List.of("-processorpath", processorPath),
                        List.of(more),
                        List.of("src/main/java/samples/Game.java", "src/main/java/samples/Shop.java"))
                .flatMap(List::stream)
                .toList();
    }

    @Test
    @DisplayName("javac with the jar on its processor path refuses the wrong order and compiles the right one")
    void javac() throws Exception {
        sources(false);
        assertThat(run(1, compiler(jar().toString())))
                .contains(
                        "Shop.java:7: error: character (rank 1) is acquired while equipment (rank 2) is held since line 7");
        sources(true);
        run(0, compiler(jar().toString()));
        run(0, compiler(jar().toString(), "-Xplugin:Lockstep strict", "-Werror"));
    }

    @Test
    @DisplayName("Maven with the plugin among its annotation processors refuses the wrong order")
    void maven() throws Exception {
        Path compilerPlugin = repository().resolve("org/apache/maven/plugins/maven-compiler-plugin/3.15.0");
        assumeTrue(Files.exists(compilerPlugin), "Maven's compiler plugin is in the local repository");
        assumeTrue(
                Stream.of(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(each -> Files.isExecutable(Path.of(each, "mvn"))),
                "mvn is on the path");
        sources(false);
        Files.writeString(place.resolve("pom.xml"), pom());
        List<String> command = List.of("mvn", "-o", "-q", "-B", "compile", "-Dcore=" + core(), "-Dplugin=" + jar());
        assertThat(run(1, command))
                .contains("character (rank 1) is acquired while equipment (rank 2) is held since line 7");
        sources(true);
        run(0, command);
    }

    /** The modules of this build are in no repository: their files are named. */
    private static String pom() {
        return """
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>shop</groupId>
                  <artifactId>shop</artifactId>
                  <version>1</version>
                  <properties>
                    <maven.compiler.release>17</maven.compiler.release>
                    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
                  </properties>
                  <build>
                    <plugins>
                      <plugin>
                        <groupId>org.apache.maven.plugins</groupId>
                        <artifactId>maven-resources-plugin</artifactId>
                        <version>3.5.0</version>
                      </plugin>
                      <plugin>
                        <groupId>org.apache.maven.plugins</groupId>
                        <artifactId>maven-compiler-plugin</artifactId>
                        <version>3.15.0</version>
                        <configuration>
                          <compilerArgs>
                            <arg>-processorpath</arg>
                            <arg>${plugin}</arg>
                            <arg>-cp</arg>
                            <arg>${core}</arg>
                            <arg>-Xplugin:Lockstep strict</arg>
                          </compilerArgs>
                        </configuration>
                      </plugin>
                    </plugins>
                  </build>
                </project>
                """;
    }

    private static String core() {
        return System.getProperty("java.class.path");
    }

    @Test
    @DisplayName("beside Error Prone both report")
    void besideErrorProne() throws Exception {
        Path errorProne = repository().resolve("com/google/errorprone");
        assumeTrue(Files.exists(errorProne), "Error Prone is in the local repository");
        List<String> jars = new ArrayList<>(List.of(jar().toString()));
        for (String each : List.of(
                "com/google/errorprone",
                "com/google/guava",
                "io/github/eisop",
                "io/github/java-diff-utils",
                "com/google/auto",
                "com/google/googlejavaformat",
                "org/checkerframework",
                "com/google/flogger",
                "com/github/ben-manes/caffeine",
                "com/github/kevinstern",
                "com/google/protobuf",
                "javax/inject",
                "org/pcollections",
                "org/jspecify")) {
            Path group = repository().resolve(each);
            if (Files.exists(group)) {
                try (Stream<Path> files = Files.walk(group)) {
                    files.filter(file -> file.toString().endsWith(".jar"))
                            .map(Path::toString)
                            .forEach(jars::add);
                }
            }
        }
        sources(false);
        Path shop = place.resolve("src/main/java/samples/Shop.java");
        Files.writeString(
                shop,
                Files.readString(shop)
                        .replace("class Shop {", "class Shop { boolean b(String a) { return a == a + \"\"; }"));
        List<String> opened = Stream.of(
                        "api", "code", "comp", "file", "main", "model", "parser", "processing", "tree", "util")
                .map(each -> "-J--add-exports=jdk.compiler/com.sun.tools.javac." + each + "=ALL-UNNAMED")
                .toList();
        List<String> more = new ArrayList<>(opened);
        more.addAll(List.of(
                "-J--add-opens=jdk.compiler/com.sun.tools.javac.code=ALL-UNNAMED",
                "-J--add-opens=jdk.compiler/com.sun.tools.javac.comp=ALL-UNNAMED",
                "-XDcompilePolicy=simple",
                "--should-stop=ifError=FLOW",
                "-Xplugin:ErrorProne"));
        assertThat(run(1, compiler(String.join(File.pathSeparator, jars), more.toArray(String[]::new))))
                .contains("[ReferenceEquality]")
                .contains("character (rank 1) is acquired while equipment (rank 2)");
    }
}
