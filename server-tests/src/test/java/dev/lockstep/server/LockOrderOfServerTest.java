package dev.lockstep.server;

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

@Tag("once")
class LockOrderOfServerTest {
    @TempDir
    Path output;

    @Test
    @DisplayName("the server compiles with the check of the lock order")
    void server() throws Exception {
        List<Path> sources;
        try (Stream<Path> files = Files.walk(Path.of("../server/src/main/java"))) {
            sources = files.filter(file -> file.toString().endsWith(".java")).toList();
        }
        Path plugin = Path.of(LockOrderPlugin.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
        List<String> options = List.of(
                "-proc:none",
                "-d",
                output.toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "-processorpath",
                plugin.toString(),
                "-Xplugin:Lockstep strict");
        boolean done;
        try (StandardJavaFileManager files =
                compiler.getStandardFileManager(said, Locale.ROOT, StandardCharsets.UTF_8)) {
            done = compiler.getTask(null, files, said, options, null, files.getJavaFileObjectsFromPaths(sources))
                    .call();
        }
        List<String> errors = said.getDiagnostics().stream()
                .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
                .map(Object::toString)
                .toList();
        assertThat(errors).isEmpty();
        assertThat(done).isTrue();
    }
}
