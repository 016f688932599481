package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.cli.terminal.Terminal;
import dev.lockstep.testservers.ChildJvm;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.UsesServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@UsesServer(ServerKind.MYSQL)
@Tag("once")
@Timeout(300)
class ProvisionCommandTest {
    private static final String[] KINDS = {"--kind", "user:0", "--kind", "account:1:user"};

    private static String[] args(TestDatabase database, String... more) {
        return StoreArgs.of(
                database, Stream.concat(Stream.of("provision"), Stream.of(more)).toArray(String[]::new));
    }

    private static String[] withKinds(String... more) {
        return Stream.concat(Stream.of(KINDS), Stream.of(more)).toArray(String[]::new);
    }

    private static long rows(TestDatabase database, String table) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
            row.next();
            return row.getLong(1);
        }
    }

    private static void execute(TestDatabase database, String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void makesRowsOnceAndAddsWhatIsMissing(TestDatabase database) throws SQLException {
        Run first = Run.of(args(database, withKinds("--buckets", "2000", "--chunk", "500")));
        assertThat(first.code()).as(first.all()).isZero();
        assertThat(first.out()).contains("4,000 rows made, 0 already there");
        assertThat(Run.of(args(database, withKinds())).out()).contains("0 rows made, 4,000 already there");
        assertThat(Run.of(args(database, "--check")).code()).isZero();

        execute(database, "DELETE FROM hier_lock_buckets WHERE level = 1 AND bucket BETWEEN 7 AND 9");
        Run check = Run.of(args(database, "--check"));
        assertThat(check.code()).isEqualTo(ExitCode.NOT_AS_IT_SHOULD.number());
        assertThat(check.out())
                .contains("buckets 7 to 9 of level 1 (account)", "3 rows are missing", "lockstep provision");

        assertThat(Run.of(args(database)).out()).contains("3 rows made, 3,997 already there");
        assertThat(rows(database, "hier_lock_buckets")).isEqualTo(4_000);
    }

    @Test
    void anotherNumberOfBucketsIsRefused(TestDatabase database) {
        assertThat(Run.of(args(database, withKinds("--buckets", "20"))).code()).isZero();
        Run run = Run.of(args(database, withKinds("--buckets", "30")));
        assertThat(run.code()).isEqualTo(ExitCode.USAGE.number());
        assertThat(run.err()).contains("has 20 buckets per level, and 30 were asked for");
    }

    @Test
    void aBarShowsItOnATerminal(TestDatabase database) {
        Run run = Run.on(true, false, args(database, withKinds("--buckets", "1000", "--chunk", "100")));
        assertThat(run.code()).isZero();
        assertThat(run.err()).contains("\rrows 100% [====").endsWith(System.lineSeparator());
        assertThat(run.err().chars()).allMatch(each -> each < 0x80);
        assertThat(run.out()).startsWith("ok 2,000 rows made");
        assertThat(Run.onTerminal(args(database)).err()).contains("\rrows 100% |█");
    }

    @Test
    void theSqlThatItPrintsDoesTheSame(TestDatabase database) throws SQLException {
        Run sql = Run.of("provision", "--print-sql", "--kind", "user:0", "--buckets", "100");
        assertThat(sql.code()).isZero();
        assertThat(sql.err()).isEmpty();
        for (String statement : sql.out().replaceAll("(?m)^--.*$", "").split(";", -1)) {
            if (!statement.isBlank()) {
                execute(database, statement);
            }
        }
        assertThat(Run.of(args(database, "--check", "--kind", "user:0")).out()).contains("No rows are missing.");
    }

    @Test
    void rowsForTheKeysOfAFile(TestDatabase database, @TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("keys"), "# ours\nuser:u1/account:a1\n\nuser:u2\n");
        Run run = Run.of(args(database, withKinds("--ids-from", file.toString())));
        assertThat(run.code()).as(run.all()).isZero();
        assertThat(run.out()).contains("3 rows made");
        assertThat(rows(database, "hier_locks")).isEqualTo(3);
        Files.writeString(file, "user:u3\n");
        assertThat(Run.of(args(database, withKinds("--check", "--ids-from", file.toString())))
                        .out())
                .contains("key user:u3", "1 row is missing");
    }

    @Test
    void aRunThatIsUnderWayIsWaitedFor(TestDatabase database) throws Exception {
        try (Connection other = database.connect();
                Statement statement = other.createStatement()) {
            statement.execute("DO GET_LOCK(CONCAT('lockstep-provisioning-', MD5(DATABASE())), 1)");
            StringWriter said = new StringWriter();
            PrintWriter printer = new PrintWriter(said, true);
            Terminal terminal = new Terminal(printer, printer, false, false, true, 100);
            CompletableFuture<Integer> run = CompletableFuture.supplyAsync(
                    () -> Lockstep.run(terminal, args(database, withKinds("--buckets", "10"))));
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> said.toString().contains("Another run is under way in this database. Waiting for it"));
            assertThat(run).isNotDone();
            statement.execute("DO RELEASE_ALL_LOCKS()");
            assertThat(run.join()).as(said.toString()).isZero();
        }
    }

    // ---- ends before the end

    /** By SIGTERM, which goes the same way: a shell that runs the tests in the background has its children ignore Ctrl-C. */
    @Test
    void afterCtrlCItSaysHowFarItGotAndTheSameCommandContinues(TestDatabase database) throws Exception {
        createTables(database);
        try (LockedRow first = LockedRow.of(database, 30_001);
                LockedRow second = LockedRow.of(database, 50_001);
                ChildJvm child = start(database)) {
            awaitRows(database, 30_000);
            assertThat(ProcessHandle.of(child.pid()).orElseThrow().destroy()).isTrue();
            first.rollback(); // the second stops a child that has not noticed yet
            assertThat(lastAnswer(child))
                    .matches("Stopped: [0-9,]+ of 60,000 rows are there. The same command continues from here.");
            assertThat(child.exitCode()).isEqualTo(128 + 15);
            second.rollback();
        }
        assertContinues(database);
    }

    private static String lastAnswer(ChildJvm child) throws IOException {
        String line = child.answer();
        while (line.contains(" rows/s")) { // how far it was before
            line = child.answer();
        }
        return line;
    }

    @Test
    void afterAKillTheSameCommandContinues(TestDatabase database) throws Exception {
        createTables(database);
        try (LockedRow row = LockedRow.of(database, 30_001);
                ChildJvm child = start(database)) {
            awaitRows(database, 30_000);
            child.kill();
            row.rollback();
        }
        Run check = Run.of(args(database, "--check"));
        assertThat(check.code()).isEqualTo(ExitCode.NOT_AS_IT_SHOULD.number());
        assertThat(check.out()).contains("kind 'user' is not provisioned");
        assertContinues(database);
    }

    @Test
    void withoutKindsNothingIsFixedInANewDatabase(TestDatabase database) throws SQLException {
        Run forgotten = Run.of(args(database));
        assertThat(forgotten.code()).isEqualTo(ExitCode.USAGE.number());
        assertThat(forgotten.err()).contains("Nothing was changed", "--kind user:0");
        Run right = Run.of(args(database, "--kind", "user:0", "--buckets", "500"));
        assertThat(right.code()).as(right.all()).isZero();
        assertThat(rows(database, "hier_lock_buckets")).isEqualTo(500);
    }

    @Test
    void sqlIsPrintedOnlyForAKnownNumberOfRows() {
        Run sql = Run.of("provision", "--print-sql", "--kind", "user:0");
        assertThat(sql.code()).isEqualTo(ExitCode.USAGE.number());
        assertThat(sql.err()).contains("Add --buckets N");
        assertThat(sql.out()).isEmpty();
    }

    private static void createTables(TestDatabase database) throws SQLException {
        Run sql = Run.of("provision", "--print-sql", "--kind", "user:0", "--buckets", "100");
        for (String statement : sql.out().replaceAll("(?m)^--.*$", "").split(";", -1)) {
            if (statement.strip().startsWith("CREATE TABLE")) {
                execute(database, statement);
            }
        }
    }

    private static ChildJvm start(TestDatabase database) throws IOException {
        return ChildJvm.start(Child.class, args(database, "--kind", "user:0", "--buckets", "60000", "--chunk", "2000"));
    }

    private static void awaitRows(TestDatabase database, long count) {
        await().atMost(Duration.ofMinutes(3)).until(() -> rows(database, "hier_lock_buckets") == count);
    }

    private static void assertContinues(TestDatabase database) throws SQLException {
        Run rest = Run.of(args(database, "--kind", "user:0"));
        assertThat(rest.code()).as(rest.all()).isZero();
        assertThat(rest.out()).doesNotContain(" 0 already there").doesNotContain("60,000 rows made");
        assertThat(rows(database, "hier_lock_buckets")).isEqualTo(60_000);
    }

    /** A row that a transaction has inserted and not committed: a run waits there until it is rolled back. */
    private record LockedRow(Connection connection) implements AutoCloseable {
        static LockedRow of(TestDatabase database, int bucket) throws SQLException {
            Connection connection = database.connect();
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute("INSERT INTO hier_lock_buckets (level, bucket) VALUES (0, " + bucket + ")");
            }
            return new LockedRow(connection);
        }

        void rollback() throws SQLException {
            connection.rollback();
        }

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }

    /** The command in a process of its own, which says on the standard output what it says to people. */
    static final class Child {
        private Child() {}

        public static void main(String[] args) {
            System.setErr(System.out);
            Lockstep.main(args);
        }
    }
}
