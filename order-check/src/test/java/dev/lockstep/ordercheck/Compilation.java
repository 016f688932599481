package dev.lockstep.ordercheck;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** A run of the compiler in this process, with the plugin as a build would have it: on the processor path. */
final class Compilation {
    /** What the compiler said about one line. */
    record Remark(String file, long line, Diagnostic.Kind kind, String text) implements Comparable<Remark> {
        @Override
        public int compareTo(Remark other) {
            int byPlace = file.compareTo(other.file) != 0 ? file.compareTo(other.file) : Long.compare(line, other.line);
            return byPlace != 0 ? byPlace : (kind + text).compareTo(other.kind + other.text);
        }
    }

    private final Path output;
    private final List<String> options = new ArrayList<>();
    private final Map<String, String> sources = new TreeMap<>();
    private String classPath = System.getProperty("java.class.path");

    Compilation(Path output) {
        this.output = output;
    }

    /** With the plugin, and these options for it. */
    Compilation checked(String pluginOptions) {
        options.addAll(List.of("-processorpath", pluginPath(), ("-Xplugin:Lockstep " + pluginOptions).strip()));
        return this;
    }

    /** With the plugin on the processor path, and nothing that names it. */
    Compilation startedByItself() {
        options.addAll(List.of("-processorpath", pluginPath()));
        return this;
    }

    Compilation option(String... more) {
        options.addAll(List.of(more));
        return this;
    }

    Compilation source(String file, String text) {
        sources.put(file, text);
        return this;
    }

    Compilation onClassPath(Path first) {
        classPath = first + System.getProperty("path.separator") + classPath;
        return this;
    }

    static String pluginPath() {
        try {
            return Path.of(LockOrderPlugin.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Compiles, and returns what was said, in the order of files and lines. */
    List<Remark> run() {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
        List<String> all = new ArrayList<>(
                List.of("-Xmaxwarns", "100000", "-Xmaxerrs", "100000", "-d", output.toString(), "-cp", classPath));
        all.addAll(options);
        StringWriter crash = new StringWriter();
        try (StandardJavaFileManager files =
                compiler.getStandardFileManager(said, Locale.ROOT, StandardCharsets.UTF_8)) {
            List<InMemory> units = sources.entrySet().stream()
                    .map(each -> new InMemory(each.getKey(), each.getValue()))
                    .toList();
            Boolean done =
                    compiler.getTask(crash, files, said, all, null, units).call();
            if (!crash.toString().isEmpty()) {
                throw new AssertionError("The compiler said " + done + " and " + crash);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return said.getDiagnostics().stream().map(Compilation::remark).sorted().toList();
    }

    private static Remark remark(Diagnostic<? extends JavaFileObject> each) {
        JavaFileObject source = each.getSource();
        String file =
                source == null ? "" : Path.of(source.getName()).getFileName().toString();
        return new Remark(file, each.getLineNumber(), each.getKind(), each.getMessage(Locale.ROOT));
    }

    /** The text of a file of the test's resources. */
    static String resource(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static JavaFileObject inMemory(String file, String text) {
        return new InMemory(file, text);
    }

    private static final class InMemory extends SimpleJavaFileObject {
        private final String text;

        InMemory(String file, String text) {
            super(URI.create("memory:///" + file), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
