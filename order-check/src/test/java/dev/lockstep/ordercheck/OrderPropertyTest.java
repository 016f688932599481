package dev.lockstep.ordercheck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Locks;
import dev.lockstep.core.OrderViolationException;
import dev.lockstep.ordercheck.Compilation.Remark;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterProperty;

/** What the compiler says of generated programs, against what the order guard says when they run. */
class OrderPropertyTest {
    private static final int PROGRAMS = 60;
    private final List<Path> places = new ArrayList<>();

    /** What happened to one program: the lines of the class that the refused request was made through. */
    private record Run(String method, Set<Integer> refusedThrough) {}

    @Property(tries = 8, shrinking = ShrinkingMode.OFF)
    @Label("with constant ids, exactly the programs that are refused when they run are refused by the compiler")
    void complete(@ForAll long seed) throws Exception {
        judge(GeneratedPrograms.withConstants(seed), List.<String[]>of(new String[] {"p", "q"}), true);
    }

    @Property(tries = 8, shrinking = ShrinkingMode.OFF)
    @Label(
            "whatever the ids are, a program with an error is refused when it runs, and one that is refused has at least a warning")
    void noFalseAlarm(@ForAll long seed) throws Exception {
        judge(
                GeneratedPrograms.withVariables(seed),
                List.of(new String[] {"p", "q"}, new String[] {"p", "p"}, new String[] {"x", "q"}, new String[] {
                    "x", "x"
                }),
                false);
    }

    private void judge(GeneratedPrograms generated, List<String[]> arguments, boolean allKnown) throws Exception {
        String source = generated.source("Generated", PROGRAMS);
        Path output = Files.createTempDirectory("lock-order");
        places.add(output);
        List<Remark> said = new Compilation(output)
                .checked("warn strict")
                .option("-proc:none")
                .source("Game.java", Compilation.resource(Path.of("src/test/resources/samples/Game.java")))
                .source("Generated.java", source)
                .run();
        assertThat(said).allMatch(each -> each.kind() == Diagnostic.Kind.WARNING);
        Set<Long> possible = said.stream()
                .filter(each -> each.text().contains("only if the ids"))
                .map(Remark::line)
                .collect(Collectors.toSet());
        Set<Long> certain = said.stream()
                .filter(each -> !each.text().contains("only if the ids"))
                .map(Remark::line)
                .collect(Collectors.toSet());
        for (String[] each : arguments) {
            for (Run run : run(output, each)) {
                String what = run.method() + Arrays.toString(each) + "\n" + numbered(source) + said;
                Set<Long> ofMethod = linesOf(source, run.method());
                boolean hasError = certain.stream().anyMatch(ofMethod::contains);
                if (hasError) {
                    assertThat(run.refusedThrough())
                            .as("no false alarm: %s", what)
                            .isNotEmpty();
                }
                if (!run.refusedThrough().isEmpty() && (allKnown || !hasKeyParameter(source, run.method()))) {
                    assertThat(run.refusedThrough())
                            .as("reported: %s", what)
                            .anyMatch(line ->
                                    certain.contains((long) line) || (!allKnown && possible.contains((long) line)));
                }
            }
        }
    }

    private static List<Run> run(Path output, String[] arguments) throws Exception {
        List<Run> runs = new ArrayList<>();
        try (URLClassLoader loader = new URLClassLoader(
                        new URL[] {output.toUri().toURL()}, OrderPropertyTest.class.getClassLoader());
                Locks locks = Locks.inMemory()) {
            Class<?> type = loader.loadClass("samples.Generated");
            for (int i = 0; i < PROGRAMS; i++) {
                runs.add(run(type, "p" + i, locks, arguments));
            }
        }
        return runs;
    }

    private static Run run(Class<?> type, String method, Locks locks, String[] arguments) throws Exception {
        try {
            type.getMethod(method, Locks.class, String.class, String.class)
                    .invoke(null, locks, arguments[0], arguments[1]);
            return new Run(method, Set.of());
        } catch (InvocationTargetException e) {
            assertThat(e.getCause()).isInstanceOf(OrderViolationException.class);
            return new Run(
                    method,
                    Arrays.stream(e.getCause().getStackTrace())
                            .filter(frame -> frame.getClassName().equals(type.getName()))
                            .map(StackTraceElement::getLineNumber)
                            .collect(Collectors.toSet()));
        }
    }

    /** The lines of a program and its helpers: up to the next program. */
    private static Set<Long> linesOf(String source, String method) {
        List<String> lines = source.lines().toList();
        int start = 0;
        while (!lines.get(start).contains(" " + method + "(")) {
            start++;
        }
        int end = start + 1;
        while (end < lines.size() && !lines.get(end).startsWith("public static void p")) {
            end++;
        }
        return Stream.iterate(start + 1L, line -> line + 1).limit(end - start).collect(Collectors.toSet());
    }

    /** Whether a method of the program gets a key: nothing is reported of kinds that are not known where they are locked. */
    private static boolean hasKeyParameter(String source, String method) {
        return source.contains(" k" + method.substring(1) + "_");
    }

    private static String numbered(String source) {
        List<String> lines = source.lines().toList();
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < lines.size(); i++) {
            all.append(i + 1).append("  ").append(lines.get(i)).append('\n');
        }
        return all.toString();
    }

    @AfterProperty
    void removeFiles() throws IOException {
        for (Path place : places) {
            try (Stream<Path> files = Files.walk(place)) {
                for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            }
        }
    }
}
