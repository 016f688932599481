package dev.lockstep.examples;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Test classes as their source says, without compiling it: what they extend, and which methods are tests. */
final class TestSources {
    /**
     * A class or an interface.
     *
     * @param name with its package and the classes around it
     * @param above the names of what it extends and implements
     * @param label its display name
     * @param runs whether the build runs it: it can be created, its name says that it is a test, and nothing disables it
     */
    record TestType(
            Path file,
            String name,
            List<String> above,
            Optional<String> label,
            boolean runs,
            List<TestMethod> methods) {
        /** Whether a name means it: its own, or that of a class around it. */
        boolean isMeantBy(String simpleName) {
            return ("." + name + ".").contains("." + simpleName + ".");
        }
    }

    /**
     * A method.
     *
     * @param test whether it is annotated as a test, and not disabled
     * @param tagged whether it has tags, so that a build may leave it out
     * @param label its display name
     * @param rows the first cells of its rows, if it is parameterized
     */
    record TestMethod(String name, boolean test, boolean tagged, Optional<String> label, List<String> rows) {
        /** Whether a text names it, or one of its rows. */
        boolean isNamed(String text) {
            return name.equals(text) || label.equals(Optional.of(text)) || rows.contains(text);
        }
    }

    /**
     * A test as a class runs it.
     *
     * @param tests all tests that the class runs
     * @param method empty where the whole class is meant
     */
    record Found(TestType runner, List<TestMethod> tests, Optional<TestMethod> method) {}

    private final List<TestType> types;
    private final Map<String, List<TestType>> byName;

    private TestSources(List<TestType> types) {
        this.types = types;
        byName = types.stream().collect(Collectors.groupingBy(TestType::name));
    }

    /** Reads these files. */
    static TestSources of(List<Path> files) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<TestType> types = new ArrayList<>();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, manager, null, List.of("-proc:none"), null, manager.getJavaFileObjectsFromPaths(files));
            for (CompilationUnitTree unit : task.parse()) {
                types.addAll(new TestSourceReader(unit).read());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new TestSources(types);
    }

    // ---- looking up

    /**
     * The tests that a text names in a class of this name or the classes inside it, each as the classes run it that extend or implement
     * those.
     */
    List<Found> find(String className, String text) {
        return types.stream()
                .filter(type -> type.isMeantBy(className))
                .flatMap(type -> types.stream()
                        .filter(runner -> runner.runs() && isOrExtends(runner, type))
                        .flatMap(runner -> find(type, runner, text).stream()))
                .toList();
    }

    private Optional<Found> find(TestType type, TestType runner, String text) {
        Map<String, TestMethod> run = methods(runner);
        List<TestMethod> tests = run.values().stream().filter(TestMethod::test).toList();
        if (type.label().equals(Optional.of(text)) && !tests.isEmpty()) {
            return Optional.of(new Found(runner, tests, Optional.empty()));
        }
        return methods(type).values().stream()
                .filter(method -> method.isNamed(text))
                .map(method -> run.getOrDefault(method.name(), method))
                .filter(TestMethod::test)
                .findFirst()
                .map(method -> new Found(runner, tests, Optional.of(method)));
    }

    private boolean isOrExtends(TestType type, TestType above) {
        return type.equals(above) || above(type).anyMatch(each -> isOrExtends(each, above));
    }

    private Stream<TestType> above(TestType type) {
        return type.above().stream().flatMap(name -> byName.getOrDefault(name, List.of()).stream());
    }

    /** By name; one that is declared further down hides those above it, as in Java. */
    private Map<String, TestMethod> methods(TestType type) {
        Map<String, TestMethod> methods = new LinkedHashMap<>();
        type.methods().forEach(method -> methods.merge(method.name(), method, TestSources::either));
        above(type).forEach(each -> methods(each).forEach(methods::putIfAbsent));
        return methods;
    }

    /** Of two that differ in their parameters, the one that is a test. */
    private static TestMethod either(TestMethod one, TestMethod other) {
        return one.test() ? one : other;
    }
}
