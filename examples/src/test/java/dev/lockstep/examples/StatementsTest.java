package dev.lockstep.examples;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The servers are really sent the statements that docs/hierlock-scenarios.md shows. */
@Tag("slow")
@Tag("once")
@Timeout(300)
@ParameterizedClass
@EnumSource(names = {"MYSQL", "MARIADB", "POSTGRES"})
class StatementsTest {
    private static final LockKey RESOURCE =
            AccountKinds.USER.key("u1").child(AccountKinds.ACCOUNT, "a1").child(AccountKinds.RESOURCE, "r1");

    /** Blocks of SQL by their name: {@code <!-- sent: name -->}. */
    private static final Map<String, String> SENT = Pattern.compile(
                    "<!-- sent: ([\\w-]+) -->\\s*```sql\\n(.*?)```", Pattern.DOTALL)
            .matcher(Repository.read(Repository.ROOT.resolve("docs/hierlock-scenarios.md")))
            .results()
            .collect(Collectors.toMap(block -> block.group(1), block -> normal(block.group(2))));

    @Parameter
    ServerKind kind;

    private static PrivateServer server;
    private static TestDatabase database;
    private static Locks here;
    private static Locks there;

    @BeforeParameterizedClassInvocation
    static void start(ServerKind kind) throws SQLException {
        server = TestServers.start(kind);
        database = server.freshDatabase();
        String url = DatabaseExamplesTest.url(database);
        here = HierLockOnDatabasesTest.patientLocks(url);
        there = HierLockOnDatabasesTest.patientLocks(url);
    }

    @AfterParameterizedClassInvocation
    static void stop() throws SQLException {
        here.close();
        there.close();
        database.close();
        server.close();
    }

    /** Without the comment that says whose it is, and without this run's numbers. */
    private static String normal(String sql) {
        return sql.replaceAll("/\\*lockstep [^*]*\\*/ ?", "")
                .replaceAll("\\s+", " ")
                .replaceAll("bucket = \\d+", "bucket = ?")
                .replaceAll("\\$\\d+", "?")
                .replaceAll("xact_lock(_shared)?\\(-?\\d+\\)", "xact_lock$1(?)")
                .replaceAll("MAX_EXECUTION_TIME\\(\\d+\\)", "MAX_EXECUTION_TIME(?)")
                .replaceAll("statement_timeout = [1-9]\\d*", "statement_timeout = ?")
                .replaceAll("max_statement_time = [\\d.]+", "max_statement_time = ?")
                .strip();
    }

    private String expected(String name) {
        String page = SENT.getOrDefault(kind.name().toLowerCase(Locale.ROOT) + name, SENT.get("mysql" + name));
        return kind == ServerKind.MARIADB
                ? page.replace("SELECT /*+ MAX_EXECUTION_TIME(?) */", "SET STATEMENT max_statement_time = ? FOR SELECT")
                : page;
    }

    private List<String> query(String... sql) throws SQLException {
        List<String> answers = new ArrayList<>();
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            for (String each : sql) {
                if (statement.execute(each)) {
                    try (ResultSet row = statement.getResultSet()) {
                        while (row.next()) {
                            answers.add(normal(row.getString(1)));
                        }
                    }
                }
            }
        }
        return answers;
    }

    @Test
    @DisplayName("the statements of a lock are those of the page")
    void lock() throws SQLException {
        here.acquire(exclusive(RESOURCE)).close();
        if (kind == ServerKind.POSTGRES) {
            Awaitility.await().untilAsserted(this::seeOnPostgres); // after a moment another statement says whose it is
            return;
        }
        query("SET GLOBAL log_output = 'TABLE'", "TRUNCATE mysql.general_log", "SET GLOBAL general_log = ON");
        here.acquire(exclusive(RESOURCE)).close();
        query("SET GLOBAL general_log = OFF");
        List<String> sent = query(
                "SELECT argument FROM mysql.general_log WHERE command_type = 'Query'"
                        + " AND (argument LIKE '%hier_lock_buckets%' OR LOWER(CONVERT(argument USING utf8mb4)) = 'rollback') AND argument NOT LIKE '%general_log%'");
        assertThat(sent).first().isEqualTo(expected(""));
        assertThat(sent).last().asString().isEqualToIgnoringCase("rollback");
        assertThat(sent).hasSize(2);
    }

    private void seeOnPostgres() throws SQLException {
        try (Lease lease = here.acquire(exclusive(RESOURCE))) {
            assertThat(lease.isHeld()).isTrue();
            assertThat(query("SELECT query FROM pg_stat_activity WHERE state = 'idle in transaction'"))
                    .containsExactly(expected(""));
        }
    }

    @Test
    @DisplayName("the statement of a wait is that of the page")
    void waiting() throws SQLException {
        Lease held = here.acquire(exclusive(RESOURCE));
        var waiter = there.acquireAsync(exclusive(RESOURCE).within(Duration.ofMinutes(2)));
        String running = kind == ServerKind.POSTGRES
                ? "SELECT query FROM pg_stat_activity WHERE wait_event = 'advisory'"
                : "SELECT INFO FROM information_schema.PROCESSLIST WHERE INFO LIKE '/*lockstep%'";
        Awaitility.await().untilAsserted(() -> assertThat(query(running)).containsExactly(expected("-wait")));
        held.close();
        waiter.join().close();
    }
}
