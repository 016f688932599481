package dev.lockstep.ordercheck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.ordercheck.Compilation.Remark;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.tools.Diagnostic;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** Whatever the source is, the compiler's own result stays, and the plugin neither crashes nor adds noise. */
class HostileSourcesTest {
    private static final String HEAD = """
            import static dev.lockstep.core.LockRequest.exclusive;
            import static samples.Game.*;
            import dev.lockstep.core.*;
            """;

    @TempDir
    Path output;

    private Compilation checked(String options) {
        return new Compilation(output)
                .checked(options)
                .option("-proc:none")
                .source("Game.java", Compilation.resource(Path.of("src/test/resources/samples/Game.java")));
    }

    private static List<String> lines(List<Remark> remarks) {
        return remarks.stream().map(each -> each.line() + " " + each.kind()).toList();
    }

    @Test
    @DisplayName("a source that does not compile gets the errors of the compiler and no others")
    void doesNotCompile() {
        String source = HEAD + """
                class Broken {
                    void a(Locks locks) {
                        locks.run(exclusive(EQUIPMENT.key(missing)), l -> locks.run(exclusive(CHARACTER.kei("x")), m -> {}));
                        Lease lease = locks.acquire(exclusive());
                        try (Unknown u = locks.acquire(exclusive(NOTHING.key("a")))) { unknown(u); }
                        locks.run(exclusive(CHARACTER.key("a")));
                        lease.bind(
                    }
                    @Takes(1) @Holds(NONE) void b(
                }
                """;
        List<Remark> all = checked("strict").source("Broken.java", source).run();
        assertThat(all).isNotEmpty().noneMatch(each -> each.text().contains("rank"));
        assertThat(all).noneMatch(each -> each.text().contains("order check failed"));
        List<Remark> types = checked("strict")
                .source(
                        "Broken.java",
                        source.replace("lease.bind(\n", "lease.bind();\n").replace("void b(", "void b() {}"))
                .run();
        assertThat(types).isNotEmpty().noneMatch(each -> each.text().contains("order check failed"));
    }

    @Test
    @DisplayName("errors elsewhere in the same build do not hide those of the order, nor the reverse")
    void besideOtherErrors() {
        List<Remark> all = checked("")
                .option("-XDshould-stop.ifError=FLOW")
                .source("Other.java", "class Other { int a() { return \"text\"; } }")
                .source(
                        "Order.java",
                        HEAD + "class Order { void a(Locks locks) {\n"
                                + "locks.run(exclusive(EQUIPMENT.key(\"a\")), l -> locks.run(exclusive(CHARACTER.key(\"a\")), m -> {}));\n}}")
                .run();
        assertThat(all).extracting(Remark::file).contains("Other.java", "Order.java");
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    @DisplayName("patterns of switches and records say which lease is held")
    void patternSwitches() {
        String source = HEAD + """
                class Patterns {
                    void a(Locks locks) {
                        switch (locks.tryAcquire(exclusive(EQUIPMENT.key("a")))) {
                            case Granted granted -> {
                                try (Lease lease = granted.lease()) {
                                    locks.run(exclusive(CHARACTER.key("a")), l -> {});
                                }
                            }
                            case Busy busy -> {}
                        }
                        if (locks.tryAcquire(exclusive(EQUIPMENT.key("a"))) instanceof Granted(Lease lease)) {
                            try (lease) {
                                locks.run(exclusive(CHARACTER.key("a")), l -> {});
                            }
                        }
                        locks.run(exclusive(CHARACTER.key("a")), l -> {});
                    }
                }
                """;
        assertThat(lines(checked("").source("Patterns.java", source).run())).containsExactly("9 ERROR", "16 ERROR");
    }

    @Test
    @DisplayName("very large methods, deep nesting and long chains of calls are checked or left, without a crash")
    void large() {
        String many = IntStream.range(0, 1_000)
                .mapToObj(i -> "locks.run(exclusive(EQUIPMENT.key(\"a" + i + "\")), l -> inner" + i % 50 + "(locks));")
                .collect(Collectors.joining("\n"));
        String calls = IntStream.range(0, 50)
                .mapToObj(i -> "private void inner" + i + "(Locks locks) { inner" + (i + 1) % 50 + "(locks); inner"
                        + (i * 7) % 50 + "(locks); locks.run(exclusive(CUBE.key(\"c" + i + "\")), l -> inner"
                        + (i * 3) % 50
                        + "(locks)); }")
                .collect(Collectors.joining("\n"));
        String deep = "locks.run(exclusive(CUBE.key(\"a\")), l -> { ".repeat(40) + " }); ".repeat(40);
        String sum = "\"a\"" + " + id".repeat(300);
        String source = HEAD + "class Large { void many(Locks locks) {\n" + many + "}\n" + calls
                + "\nvoid deep(Locks locks) { " + deep.replaceAll("l ->", "l ->") + " }\n"
                + "void sum(Locks locks, String id) { locks.run(exclusive(CUBE.key(" + sum + ")), x -> {}); } }";
        for (int i = 0; i < 40; i++) {
            source = source.replaceFirst("\"a\"\\)\\), l -> \\{", "\"a\")), d" + i + " -> {");
        }
        List<Remark> all = checked("warn").source("Large.java", source).run();
        assertThat(all).noneMatch(each -> each.kind() == Diagnostic.Kind.ERROR);
        assertThat(all).noneMatch(each -> each.text().contains("order check failed"));
    }

    @Test
    @DisplayName("a module is checked as other code is")
    void module() throws Exception {
        Path core = Arrays.stream(System.getProperty("java.class.path").split(System.getProperty("path.separator")))
                .map(Path::of)
                .filter(each -> Files.exists(each.resolve("dev/lockstep/core/Locks.class"))
                        || each.getFileName().toString().startsWith("lockstep-core"))
                .findFirst()
                .orElseThrow();
        List<Remark> all = checked("")
                .option("--module-path", System.getProperty("java.class.path"), "--add-modules", "dev.lockstep.core")
                .source("module-info.java", "module shop { requires dev.lockstep.core; }")
                .source(
                        "Shop.java",
                        "package shop;\n" + HEAD + "class Shop { void a(Locks locks) {\n"
                                + "locks.run(exclusive(EQUIPMENT.key(\"a\")), l -> locks.run(exclusive(CHARACTER.key(\"a\")), m -> {}));\n}}")
                .run();
        assertThat(core).exists();
        assertThat(all).extracting(Remark::text).anyMatch(text -> text.startsWith("character (rank 1) is acquired"));
    }

    @Test
    @DisplayName("without core on the class path there is nothing to check")
    void withoutCore() {
        List<Remark> all = new Compilation(output)
                .checked("strict")
                .onClassPath(output)
                .option("-proc:none", "-cp", output.toString())
                .source("Plain.java", "class Plain { void run() { new Thread(() -> run()).start(); } }")
                .run();
        assertThat(all).isEmpty();
    }
}
