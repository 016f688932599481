package dev.lockstep.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.ordercheck.LockOrderPlugin;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples compile with the check of the lock order; without their {@code @SuppressWarnings} the wrong ones don't. */
@Tag("once")
class LockOrderOfExamplesTest {
    @TempDir
    Path output;

    private List<Diagnostic<? extends JavaFileObject>> compile(List<Path> sources, String... options) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
        Path plugin = Path.of(LockOrderPlugin.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        List<String> all = Stream.concat(
                        Stream.of(
                                "-proc:none",
                                "-d",
                                output.toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                "-processorpath",
                                plugin.toString()),
                        Stream.of(options))
                .toList();
        try (StandardJavaFileManager files =
                compiler.getStandardFileManager(said, Locale.ROOT, StandardCharsets.UTF_8)) {
            Boolean unused = compiler.getTask(null, files, said, all, null, files.getJavaFileObjectsFromPaths(sources))
                    .call();
        }
        return said.getDiagnostics().stream()
                .filter(each -> each.getKind() == Diagnostic.Kind.ERROR
                        || String.valueOf(each.getMessage(Locale.ROOT)).contains("rank"))
                .toList();
    }

    @Test
    @DisplayName("the examples have no error of the lock order")
    void examples() throws Exception {
        List<Path> sources = Repository.javaFiles("examples/src/main");
        assertThat(sources).hasSizeGreaterThan(20);
        assertThat(compile(sources, "-Xplugin:Lockstep report=" + output.resolve("order.txt")))
                .isEmpty();
        assertThat(output.resolve("order.txt"))
                .content()
                .contains(
                        "character (rank 1) -> equipment (rank 2)\n    dev.lockstep.examples.NestedLocks.withTheOrder(");
    }

    @Test
    @DisplayName("what the docs call an error is one")
    void refused() throws Exception {
        Path source = Repository.ROOT.resolve("examples/src/main/java/dev/lockstep/examples/CheckedOrder.java");
        String text = Repository.read(source);
        Path bare = Files.writeString(
                output.resolve("CheckedOrder.java"), text.replace("@SuppressWarnings(\"lockstep:order\")", ""));
        List<String> lines = text.lines().toList();
        assertThat(compile(List.of(bare)))
                .hasSize(2)
                .allSatisfy(error ->
                        assertThat(lines.get((int) error.getLineNumber() - 1)).contains("// error"));
    }
}
