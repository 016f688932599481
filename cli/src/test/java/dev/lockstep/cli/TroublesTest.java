package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.testservers.ChildJvm;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServer;
import dev.lockstep.testservers.TestServers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What people see when something is wrong with the store: a sentence, an exit code, and no stack trace. */
@Tag("slow")
@Tag("once")
@Timeout(300)
class TroublesTest {
    private static void assertTrouble(Run run, ExitCode code, String... said) {
        assertThat(run.err()).contains(said).startsWith("error: ").doesNotContain("\tat ", "Exception");
        assertThat(run.code()).as(run.err()).isEqualTo(code.number());
        assertThat(run.out()).isEmpty();
    }

    // ---- the command line

    @Test
    void anUnknownStore() {
        assertTrouble(
                Run.of("locks", "--store", "oracle:thin"), ExitCode.USAGE, "What was given is no store that is known");
    }

    @Test
    void anotherDatabase() {
        assertTrouble(
                Run.of("locks", "--store", "jdbc:oracle:thin:@h:1/x"), ExitCode.USAGE, "not a URL of MySQL, MariaDB");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "root:sesame@tcp(127.0.0.1:3306)/db",
                "redis://:sesa/sesame@127.0.0.1:1",
                "redis://u:p#sesame@127.0.0.1:1",
                "redis://u:p?sesame@127.0.0.1:1",
                "jdbc:postgresql://127.0.0.1:1/db?password=ab,sesame",
                "jdbc:mysql://127.0.0.1:1/db?password=a@sesame;x)y",
                "jdbc:mysql://u:a/sesame@127.0.0.1:1/db",
                "jdbc:mariadb:u:sesame@tcp(127.0.0.1:1)/db",
                "jdbc:oracle:thin:scott/sesame@h",
                "postgres://u:sesame@h/db",
                "sesame"
            })
    void noPasswordIsPrinted(String url) {
        Run run = Run.of("locks", "--store", url);
        assertThat(run.all()).startsWith("error: ").doesNotContain("sesame");
    }

    @Test
    void aPasswordIsAskedForOnATerminalOnly() {
        assertTrouble(
                Run.of("locks", "--store", "memory", "--password"),
                ExitCode.USAGE,
                "Set the variable LOCKSTEP_PASSWORD");
    }

    @Test
    void aUserOfRedisWithoutAPassword() {
        assertTrouble(
                Run.of("locks", "--store", "redis://127.0.0.1:1", "--user", "app"),
                ExitCode.USAGE,
                "--user app needs a password on Redis");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "jdbc:mysql://127.0.0.1:1/x", "jdbc:mariadb://127.0.0.1:1/x"})
    void aNamespaceWhereThereAreNone(String url) {
        assertTrouble(
                Run.of("locks", "--store", url, "--namespace", "shop"), ExitCode.USAGE, "Leave --namespace shop out");
    }

    @Test
    void aPasswordInTheUrlComesBeforeTheVariable() {
        assertThat(StoreMixin.variable("redis://:own@h", "other")).isEmpty();
        assertThat(StoreMixin.variable("jdbc:postgresql://h/x?user=u&password=own", "other"))
                .isEmpty();
        assertThat(StoreMixin.variable("jdbc:postgresql://h:5432/x?user=u", "other"))
                .contains("other");
    }

    @Test
    void noStore() {
        assertTrouble(Run.of("locks"), ExitCode.USAGE, "Which store?", "LOCKSTEP_STORE");
    }

    @Test
    void aWrongOptionIsNamedWithItsNeighbours() {
        Run run = Run.of("locks", "--stor", "memory");
        assertThat(run.code()).isEqualTo(ExitCode.USAGE.number());
        assertThat(run.err()).contains("--stor", "Try: lockstep locks --help");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:mysql:", "jdbc:postgresql://h:port/x", "redis://", "jdbc:mariadb://h:99999999/x"})
    void aWrongUrl(String url) {
        Run run = Run.of("locks", "--store", url);
        assertThat(run.err()).startsWith("error: ").doesNotContain("\tat ", "This should not");
        assertThat(run.code()).isIn(ExitCode.USAGE.number(), ExitCode.UNREACHABLE.number());
    }

    // ---- servers that can't be reached

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:mysql://%s/x", "jdbc:mariadb://%s/x", "jdbc:postgresql://%s/x", "redis://%s"})
    @Timeout(300)
    void nothingListens(String url) throws IOException {
        Run run = Run.of(
                "locks", "--store", url.formatted("127.0.0.1:" + closedPort()), "--user", "app", "--password=sesame");
        assertTrouble(run, ExitCode.UNREACHABLE, "127.0.0.1");
    }

    private static int closedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Test
    void somethingIsThereAndSaysNothing() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                ChildJvm mysql = hasty("jdbc:mysql://127.0.0.1:" + socket.getLocalPort() + "/x");
                ChildJvm postgres = hasty("jdbc:postgresql://127.0.0.1:" + socket.getLocalPort() + "/x");
                ChildJvm redis = hasty("redis://127.0.0.1:" + socket.getLocalPort())) {
            for (ChildJvm child : List.of(mysql, postgres, redis)) {
                assertThat(child.answer()).startsWith("error: ").contains("127.0.0.1");
                assertThat(child.exitCode()).isEqualTo(ExitCode.UNREACHABLE.number());
            }
        }
    }

    private static ChildJvm hasty(String store) throws IOException {
        return ChildJvm.start(Hasty.class, "locks", "--user", "app", "--password=x", "--store", store);
    }

    /** The command in a process of its own that has little patience, and tells errors on the standard output. */
    static final class Hasty {
        private Hasty() {}

        public static void main(String[] args) {
            System.setProperty("lockstep.patience.millis", "1000");
            System.setErr(System.out);
            Lockstep.main(args);
        }
    }

    // ---- servers that refuse

    @ParameterizedTest
    @CsvSource({"MYSQL,app", "MARIADB,app", "POSTGRES,no-such-role"})
    void aWrongUserOrPassword(ServerKind kind, String user) {
        TestServer server = TestServers.shared(kind);
        Run run = Run.of("locks", "--store", withPassword(server.jdbcUrl()), "--user", user);
        assertTrouble(run, ExitCode.REFUSED, user, "Look at the name of the database, the user and the password.");
        assertThat(run.err()).doesNotContain("sesame");
    }

    private static String withPassword(String url) {
        return url + (url.contains("?") ? "&" : "?") + "password=sesame";
    }

    @ParameterizedTest
    @CsvSource({"MYSQL", "MARIADB", "POSTGRES"})
    void anUnknownDatabase(ServerKind kind) {
        TestServer server = TestServers.shared(kind);
        String url = server.jdbcUrl().replace("/" + server.database(), "/nowhere");
        Run run = Run.of(StoreArgs.of(url, server.user(), server.password(), "locks"));
        assertTrouble(run, ExitCode.REFUSED, "Look at the name of the database");
        assertThat(run.err()).containsPattern("Unknown database 'nowhere'|database \"nowhere\" does not exist");
    }

    @Test
    void missingTables() throws Exception {
        try (TestDatabase database = TestServers.mysql().freshDatabase()) {
            assertTrouble(
                    Run.of(StoreArgs.of(database, "locks")),
                    ExitCode.REFUSED,
                    "The table hier_lock_settings is missing",
                    "lockstep provision");
            assertTrouble(
                    Run.of(StoreArgs.of(database, "provision", "--check")),
                    ExitCode.REFUSED,
                    "The table hier_lock_settings is missing");
        }
    }

    @Test
    void noPermission() throws Exception {
        try (TestDatabase database = TestServers.mysql().freshDatabase();
                Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            String user = "u" + UUID.randomUUID().toString().substring(0, 8);
            statement.execute("CREATE USER " + user + " IDENTIFIED BY 'sesame'");
            try {
                statement.execute("GRANT SELECT ON " + database.name() + ".* TO " + user);
                Run run = Run.of(
                        "provision",
                        "--store",
                        database.jdbcUrl(),
                        "--user",
                        user,
                        "--password=sesame",
                        "--kind",
                        "user:0");
                assertTrouble(run, ExitCode.REFUSED, "CREATE command denied", "Grant the user");
            } finally {
                statement.execute("DROP USER " + user);
            }
        }
    }

    @Test
    void aRedisThatWantsAPassword() {
        try (PrivateServer server = TestServers.startRedis("--requirepass", "open-it")) {
            assertTrouble(Run.of("locks", "--store", server.url()), ExitCode.REFUSED, "NOAUTH");
            String wrong = server.url().replace("redis://", "redis://:sesame@");
            Run refused = Run.of("locks", "--store", wrong);
            assertTrouble(refused, ExitCode.REFUSED, "WRONGPASS");
            assertThat(refused.err()).doesNotContain("sesame");
            assertThat(Run.of("locks", "--store", server.url(), "--password=open-it")
                            .err())
                    .as("it was let in")
                    .contains("Redis knows no namespace 'default'");
        }
    }

    @Test
    void aStackTraceIsThereForWhoAsks() throws IOException {
        String url = "jdbc:postgresql://127.0.0.1:" + closedPort() + "/x";
        assertThat(Run.of("locks", "--verbose", "--store", url).err()).contains("\tat ", "PSQLException");
    }
}
