package dev.lockstep.benchmarks.compile;

import dev.lockstep.benchmarks.measure.BenchOptions;
import dev.lockstep.benchmarks.measure.UsageException;
import dev.lockstep.ordercheck.LockOrderPlugin;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** {@code ./lockstep bench compile}: how long the compiler takes for modules of this project with the check of the lock order and without it, in turns. */
public final class CompileRun {
    private static final String ROUNDS = "--rounds";
    private static final String WARMUP = "--warmup";
    private static final List<String> MODULES = List.of("core", "store-jdbc", "server");

    private final int warmup;
    private final int rounds;
    private final PrintStream out;

    CompileRun(int warmup, int rounds, PrintStream out) {
        this.warmup = warmup;
        this.rounds = rounds;
        this.out = out;
    }

    public static void run(List<String> args) throws IOException {
        Map<String, Integer> defaults = new LinkedHashMap<>();
        defaults.put(WARMUP, 6);
        defaults.put(ROUNDS, 10);
        BenchOptions options = BenchOptions.parse(args, defaults);
        if (!options.names().isEmpty()) {
            throw new UsageException("compile takes no name, and got " + options.names());
        }
        new CompileRun(options.number(WARMUP), options.number(ROUNDS), System.out).run(Path.of(""), MODULES);
    }

    /** Compiles these modules of the project in that directory, and returns the ratio. */
    double run(Path project, List<String> modules) throws IOException {
        List<List<Path>> sources =
                modules.stream().map(module -> sources(project, module)).toList();
        List<Double> without = new ArrayList<>();
        List<Double> with = new ArrayList<>();
        for (int i = 0; i < warmup + rounds; i++) {
            boolean first = i % 2 == 0; // the second of a pair runs in a warmer JVM
            double one = millis(sources, first);
            double other = millis(sources, !first);
            if (i >= warmup) {
                with.add(first ? one : other);
                without.add(first ? other : one);
            }
        }
        double ratio = median(with) / median(without);
        out.printf(
                Locale.ROOT,
                "%s: %d files, JDK %s, %d rounds after %d, medians: %.0f ms without the check, %.0f ms with it, ratio %.2f%n",
                String.join(" + ", modules),
                sources.stream().mapToInt(List::size).sum(),
                Runtime.version(),
                rounds,
                warmup,
                median(without),
                median(with),
                ratio);
        return ratio;
    }

    private static double median(List<Double> times) {
        List<Double> sorted = times.stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }

    private static List<Path> sources(Path project, String module) {
        try (Stream<Path> files = Files.walk(project.resolve(module).resolve("src/main/java"))) {
            return files.filter(file -> file.toString().endsWith(".java") && !file.endsWith("module-info.java"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static double millis(List<List<Path>> modules, boolean checked) throws IOException {
        Path output = Files.createTempDirectory("lockstep-compile");
        try {
            long start = System.nanoTime();
            for (List<Path> each : modules) {
                compile(each, output, checked);
            }
            return (System.nanoTime() - start) / 1e6;
        } finally {
            delete(output);
        }
    }

    private static void compile(List<Path> sources, Path output, boolean checked) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> options = new ArrayList<>(List.of(
                "-proc:none", "-nowarn", "-d", output.toString(), "-cp", System.getProperty("java.class.path")));
        if (checked) {
            options.addAll(List.of("-processorpath", plugin(), "-Xplugin:Lockstep strict warn"));
        }
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager files =
                compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8)) {
            boolean done = compiler.getTask(
                            said, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
                    .call();
            if (!done) {
                throw new IllegalStateException("The sources do not compile: " + said);
            }
        }
    }

    private static String plugin() {
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

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
