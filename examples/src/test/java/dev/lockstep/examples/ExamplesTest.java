package dev.lockstep.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs every example and looks at what it says. */
@Timeout(300)
@Isolated("what examples print is read from System.out")
class ExamplesTest {
    static List<String> run(String name, String... args) throws Exception {
        return runUntil("", name, args);
    }

    /** What an example says until it has ended and has said this, which may come from another thread. */
    private static List<String> runUntil(String last, String name, String... args) throws Exception {
        PrintStream screen = System.out;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setOut(new PrintStream(said, true, UTF_8));
        try {
            Objects.requireNonNull(Demo.EXAMPLES.get(name), name).run(args);
            await().until(() -> said.toString(UTF_8).contains(last));
        } finally {
            System.setOut(screen);
        }
        return said.toString(UTF_8).lines().toList();
    }

    @Test
    @DisplayName("./lockstep demo knows every example")
    void everyExampleIsKnown() {
        Set<String> found = new TreeSet<>();
        for (Path source : Repository.javaFiles("examples/src/main")) {
            if (Repository.read(source).contains("public static void main(")) {
                found.add(source.getFileName().toString().replace(".java", ""));
            }
        }
        found.remove("Demo");
        assertThat(Demo.EXAMPLES.keySet()).isEqualTo(found);
    }

    @Test
    void gettingStarted() throws Exception {
        assertThat(run("GettingStarted")).containsExactly("holding [order:4711]");
    }

    @Test
    void quickStart() throws Exception {
        List<String> lines = run("QuickStart");
        assertThat(lines).hasSize(3).endsWith("moved r2 to r1", "closed a1");
        assertThat(lines.get(0)).matches("paid r1 under token 0\\.\\d+");
    }

    @Test
    void leaderElection() throws Exception {
        assertThat(run("LeaderElection"))
                .contains("leads: node-1", "node-1 starts", "written: true", "node-1 stops: RESIGNED")
                .endsWith("leads: node-2");
    }

    @Test
    void permits() throws Exception {
        assertThat(run("PrinterPermits"))
                .containsExactly("with a permit", "with another one", "without waiting", "a second one: false");
    }

    @Test
    void oncePerCluster() throws Exception {
        assertThat(run("OncePerCluster"))
                .containsExactly("reported", "node 1 ran it: true", "node 2 ran it: false", "node 3 ran it: false");
    }

    @Test
    void hierarchicalLocks() throws Exception {
        assertThat(run("HierarchicalLocks"))
                .extracting(line -> line.split(" +", 2)[0])
                .containsExactly("busy", "busy", "granted", "granted", "busy");
    }

    @Test
    void orderedLocks() throws Exception {
        assertThat(run("OrderedLocks")).containsExactly("2000 changes, none lost, no deadlock");
    }

    @Test
    void tryAndBusy() throws Exception {
        assertThat(run("TryAndBusy"))
                .satisfiesExactly(
                        busy -> assertThat(busy).startsWith("user:u1/account:a1 is busy: ['payment' (IX since "),
                        closed -> assertThat(closed).isEqualTo("user:u1/account:a1 is closed"));
    }

    @Test
    void nestedLocks() throws Exception {
        assertThat(run("NestedLocks"))
                .satisfiesExactly(
                        first -> assertThat(first).isEqualTo("equipped"),
                        second -> assertThat(second).isEqualTo("renamed"),
                        refused -> assertThat(refused)
                                .startsWith("refused: X(character:A) was asked for")
                                .containsPattern(
                                        "at dev\\.lockstep\\.examples\\.NestedLocks.*againstTheOrder.*NestedLocks\\.java:\\d+")
                                .containsPattern("taken at dev\\.lockstep\\.examples\\.NestedLocks\\.againstTheOrder"));
    }

    @Test
    void lostLease() throws Exception {
        assertThat(runUntil("lost: EXPIRED: its term has expired\n", "LostLease"))
                .contains(
                        "lost: EXPIRED: its term has expired",
                        "gave up: EXPIRED",
                        "the next holder writes: true",
                        "the slow one writes with its old token: false",
                        "in the file: new")
                .doesNotContain("never printed");
    }

    @Test
    void asyncLocks() throws Exception {
        assertThat(run("AsyncLocks")).containsExactly("worked under [equipment:B]", "waiting: 0");
    }

    @Test
    void whoHoldsWhat() throws Exception {
        assertThat(run("WhoHoldsWhat"))
                .anySatisfy(line ->
                        assertThat(line).startsWith("payment holds user:u1/account:a1/resource:r1 as EXCLUSIVE since "))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("close-account waits for user:u1/account:a1 behind ['payment' (IX since "))
                .contains("4 held, 1 waiting", "closed")
                .endsWith("0 held, 0 waiting");
    }

    @Test
    void listenToEvents() throws Exception {
        assertThat(run("ListenToEvents"))
                .contains(
                        "timed out waiting for character:A",
                        "lost [character:A]: EXPIRED: its term has expired",
                        "heard both");
    }

    @ParameterizedTest
    @ValueSource(strings = {"DatabaseLocks", "FencedWrite", "LocksInYourTransaction"})
    @DisplayName("an example that needs a database says what to pass")
    void examplesOfDatabases(String name) throws Exception {
        assertThat(run(name))
                .anySatisfy(line -> assertThat(line).endsWith("dev.lockstep.examples.Demo " + name + " URL"))
                .anySatisfy(line -> assertThat(line).contains("jdbc:mysql://127.0.0.1:3306/mgl_test"))
                .anySatisfy(line -> assertThat(line).contains("jdbc:mariadb://"))
                .anySatisfy(line -> assertThat(line).contains("jdbc:postgresql://"));
        assertThat(run(name, "jdbc:other://host/db")).first().asString().startsWith("No driver on the class path");
    }

    @Test
    @DisplayName("the example that needs Redis says what to pass")
    void exampleOfRedis() throws Exception {
        assertThat(run("RedisLocks")).first().asString().endsWith("./lockstep demo RedisLocks redis://127.0.0.1:6379");
    }

    @Test
    @DisplayName("the demo shows all six scenes")
    void demo() {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        Demo.play(new DemoScreen(new PrintStream(said, true, UTF_8)), Duration.ZERO);
        String text = said.toString(UTF_8);
        assertThat(text)
                .containsPattern("pay-r1 +waits for user:u1/account:a1/resource:r1")
                .containsPattern("(?s)pay-r9 +has .*close-account +releases.*pay-r1 +has ")
                .containsPattern("equip +had both 100 times")
                .containsPattern("repair +had both 100 times")
                .containsPattern("held +X\\(equipment:B\\) +takeEquipment\\(DemoScenes\\.java:\\d+\\)")
                .containsPattern("asked +X\\(character:A\\) +takeCharacter\\(DemoScenes\\.java:\\d+\\)")
                .containsPattern("(forth|back) +is the youngest and fails")
                .containsPattern("(forth|back) +had both\\R")
                .containsPattern("waits for X\\(user:u1/account:a1/resource:r2\\) +takeSecond\\(DemoScenes")
                .containsPattern("slow-job +notices: EXPIRED")
                .containsPattern("next-job +has the lock under token 0\\.\\d+ and writes: written")
                .containsPattern("slow-job +wakes up, held: false, and writes all the same: refused")
                .containsPattern("payment +holds +X +user:u1/account:a1/resource:r1 +whoHoldsWhat")
                .containsPattern("close-account +waits for X +user:u1/account:a1 +behind payment")
                .containsPattern("at the end +0 held, 0 waiting")
                .doesNotContain("never gets here");
    }

    @Test
    void projectLocks() throws Exception {
        assertThat(run("ProjectLocks")).containsExactly("acquire-timeout, worth another try: true", "first draft");
    }

    @Test
    void autosave() throws Exception {
        assertThat(run("Autosave")).contains("once upon a time", "read-only: false");
    }
}
