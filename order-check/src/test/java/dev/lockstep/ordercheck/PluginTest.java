package dev.lockstep.ordercheck;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import dev.lockstep.ordercheck.Compilation.Remark;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.lang.model.element.TypeElement;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the plugin starts, its options, its report, and what becomes of its own faults. */
class PluginTest {
    private static final String SHOP = """
            import static dev.lockstep.core.LockRequest.exclusive;
            import static samples.Game.*;
            import dev.lockstep.core.*;
            import dev.lockstep.spring.Locked;
            class Shop {
                void a(Locks locks) {
                    locks.run(exclusive(CHARACTER.key("a")), l -> locks.run(exclusive(EQUIPMENT.key("b")), m -> {}));
                    locks.run(exclusive(EQUIPMENT.key("b")), l -> locks.run(exclusive(CHARACTER.key("a")), m -> {}));
                }
                @Locked("nothing:#{#id}") public void b(String id) {}
            }
            """;

    @TempDir
    Path output;

    private static String sample(String file) {
        return Compilation.resource(Path.of("src/test/resources/samples", file));
    }

    private List<Remark> compile(Compilation compilation) {
        return compilation
                .source("Game.java", sample("Game.java"))
                .source("Locked.java", sample("Locked.java"))
                .source("Shop.java", SHOP)
                .run();
    }

    private List<Remark> checked(String options) {
        return compile(new Compilation(output).checked(options).option("-proc:none"));
    }

    @Test
    @DisplayName("it starts where it is on the processor path, and errors fail the build")
    void autoStart() {
        List<Remark> said = compile(new Compilation(output).startedByItself());
        assertThat(said).extracting(Remark::kind).containsExactly(Diagnostic.Kind.ERROR);
        assertThat(said.get(0).text())
                .isEqualTo(
                        "character (rank 1) is acquired while equipment (rank 2) is held since line 8. Acquire both in one"
                                + " request: exclusive(a, b), or acquire character first.");
        assertThat(output.resolve("Shop.class")).doesNotExist();
    }

    @Test
    @DisplayName("warn and off")
    void levels() {
        assertThat(checked("warn")).extracting(Remark::kind).containsExactly(Diagnostic.Kind.WARNING);
        assertThat(output.resolve("Shop.class")).exists();
        assertThat(checked("off")).isEmpty();
    }

    @Test
    @DisplayName("an option that does not exist fails the build with those that do")
    void unknownOption() {
        assertThat(checked("stirct"))
                .singleElement()
                .satisfies(said -> assertThat(said.text())
                        .startsWith("Unknown option 'stirct' of -Xplugin:Lockstep.")
                        .contains("strict, warn, off, report=FILE or kinds=CLASS"));
    }

    @Test
    @DisplayName("with all kinds named, @Locked may name no other")
    void unknownPrefix() {
        assertThat(checked("warn kinds=samples.Game"))
                .extracting(Remark::text)
                .anyMatch(text -> text.startsWith(
                        "The key 'nothing:#{#id}' of @Locked names the kind 'nothing', which is not declared. Write one of"
                                + " [character, equipment, magic-cube, user, account, resource]."));
    }

    @Test
    @DisplayName("the report names the pairs of kinds with their places, and draws them")
    void report() {
        Path report = output.resolve("deep/order.txt");
        checked("warn report=" + report);
        assertThat(report).hasContent("""
                        character (rank 1) -> equipment (rank 2)
                            Shop.a(Shop.java:7), held since Shop.a(Shop.java:7)
                        equipment (rank 2) -> character (rank 1)
                            Shop.a(Shop.java:8), held since Shop.a(Shop.java:8)
                        """);
        assertThat(Path.of(report + ".dot")).hasContent("""
                        digraph "lock order" {
                          "character (rank 1)" -> "equipment (rank 2)";
                          "equipment (rank 2)" -> "character (rank 1)" [color=red];
                        }
                        """);
    }

    @Test
    @DisplayName("a fault of the check itself is one warning, and the build proceeds")
    void fault() {
        DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
        JavacTask task = task(said, "class A {}", "class B {}");
        task.addTaskListener(new CompileListener(task, CheckOptions.parse()) {
            @Override
            void analyzed(CompilationUnitTree unit, TypeElement type) {
                throw new IllegalStateException("broken");
            }
        });
        assertThat(task.call()).isTrue();
        assertThat(said.getDiagnostics()).singleElement().satisfies(each -> {
            assertThat(each.getKind()).isEqualTo(Diagnostic.Kind.WARNING);
            assertThat(each.getMessage(Locale.ROOT))
                    .startsWith("The lock order of A was not checked: the order check failed with"
                            + " java.lang.IllegalStateException: broken")
                    .contains("Please report this");
        });
        assertThat(output.resolve("A.class")).exists();
        assertThat(output.resolve("B.class")).exists();
    }

    @Test
    @DisplayName("a report that can't be written leaves the build as it is")
    void reportElsewhere() throws Exception {
        Path file = Files.writeString(output.resolve("file"), "text");
        DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
        JavacTask task = task(said, "class A {}");
        task.addTaskListener(new CompileListener(task, CheckOptions.parse("report=" + file + "/order.txt")));
        assertThat(task.call()).isTrue();
        assertThat(file).hasContent("text");
    }

    private JavacTask task(DiagnosticCollector<JavaFileObject> said, String... sources) {
        return (JavacTask) ToolProvider.getSystemJavaCompiler()
                .getTask(
                        null,
                        null,
                        said,
                        List.of("-proc:none", "-d", output.toString()),
                        null,
                        Stream.of(sources)
                                .map(source ->
                                        Compilation.inMemory(source.replaceAll("\\W|class", "") + ".java", source))
                                .toList());
    }
}
