package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.cli.store.Credentials;
import dev.lockstep.cli.store.StoreAddress;
import dev.lockstep.cli.verify.BehaviourTable;
import dev.lockstep.cli.verify.DocumentedBehaviours;
import dev.lockstep.cli.verify.Pace;
import dev.lockstep.cli.verify.Progress;
import dev.lockstep.cli.verify.Report;
import dev.lockstep.cli.verify.TrialOutcome;
import dev.lockstep.cli.verify.TrialRun;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TcpProxy;
import dev.lockstep.testservers.TestServer;
import dev.lockstep.testservers.TestServers;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("slow")
@Tag("once")
@Timeout(900)
class VerifyOnServersTest {
    private static final Pace BRIEF = new Pace(
            Duration.ofMillis(100),
            4,
            Duration.ofSeconds(1),
            Duration.ofSeconds(60),
            Duration.ofSeconds(150),
            Duration.ofMinutes(12));

    private final List<String> users = new ArrayList<>();

    private static Report verify(String url, String user, String password, String... only) {
        try (StoreAddress address =
                StoreAddress.parse(url, new Credentials(Optional.of(user), Optional.of(password)), Optional.empty())) {
            return TrialRun.of(address, BehaviourTable.only(List.of(only)), BRIEF, new Progress() {});
        } catch (Exception e) {
            throw new CompletionException(e);
        }
    }

    private static Report verify(TestServer server, String... only) {
        return verify(server.jdbcUrl(), server.user(), server.password(), only);
    }

    private static void assertNothingFailed(Report report) {
        assertThat(report.results())
                .allSatisfy(result -> assertThat(result.outcome())
                        .isInstanceOfAny(
                                TrialOutcome.Passed.class,
                                TrialOutcome.Doubtful.class,
                                TrialOutcome.Inapplicable.class));
    }

    /** All that applies to this store passes, and no other behaviour is left out. */
    private static void assertPassed(Report report, String store) {
        assertThat(report.results())
                .allSatisfy(result -> assertThat(result.outcome())
                        .isInstanceOfAny(TrialOutcome.Passed.class, TrialOutcome.Inapplicable.class));
        assertInapplicable(report, store);
    }

    private static void assertInapplicable(Report report, String store) {
        List<String> tried =
                report.results().stream().map(result -> result.behaviour().id()).toList();
        assertThat(report.results())
                .filteredOn(result -> result.outcome() instanceof TrialOutcome.Inapplicable)
                .extracting(result -> result.behaviour().id())
                .containsExactlyElementsOf(DocumentedBehaviours.inapplicableTo(store).stream()
                        .filter(tried::contains)
                        .toList());
    }

    private static void assertDoubtfulSight(Report report) {
        assertThat(report.results().stream()
                        .filter(result -> result.behaviour().id().equals("X7")))
                .singleElement()
                .satisfies(result -> assertThat(result.outcome()).isInstanceOf(TrialOutcome.Doubtful.class));
    }

    /** Databases of trials that are still there. */
    private static List<String> left(TestServer server) throws SQLException {
        List<String> names = new ArrayList<>();
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SHOW DATABASES LIKE 'lockstep\\_verify\\_%'")) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        return names;
    }

    @Test
    void passesOnMySqlByItsOwnDriver() throws SQLException {
        List<String> before = left(TestServers.mysql());
        Report report = verify(TestServers.mysql());

        assertPassed(report, "MySQL");
        assertThat(left(TestServers.mysql())).isSubsetOf(before);
    }

    @Test
    void passesOnMySqlByTheBundledDriver() {
        TestServer mysql = TestServers.mysql();

        assertNothingFailed(verify(
                "jdbc:mariadb://" + mysql.host() + ":" + mysql.port() + "/" + mysql.database(),
                mysql.user(),
                mysql.password(),
                "H4",
                "X2",
                "X7",
                "O6"));
    }

    @Test
    void passesOnMariaDbWithDoubtAboutItsSight() throws SQLException {
        List<String> before = left(TestServers.mariadb());
        Report report = verify(TestServers.mariadb());

        assertNothingFailed(report);
        assertInapplicable(report, "MariaDB");
        assertDoubtfulSight(report);
        assertThat(left(TestServers.mariadb())).isSubsetOf(before);
    }

    @Test
    void passesOnPostgreSql() {
        assertPassed(verify(TestServers.postgres()), "PostgreSQL");
    }

    @Test
    void passesOnRedisAndLeavesNoKey() {
        String url = TestServers.redis().url();
        List<String> before = redisKeys(url);
        try (StoreAddress address =
                StoreAddress.parse(url, new Credentials(Optional.empty(), Optional.empty()), Optional.empty())) {
            Report report = TrialRun.of(address, BehaviourTable.all(), BRIEF, new Progress() {});
            assertPassed(report, "Redis");
        } catch (Exception e) {
            throw new CompletionException(e);
        }
        assertThat(redisKeys(url)).isSubsetOf(before);
    }

    @Test
    void passesOnEtcd() throws Exception {
        try (StoreAddress address = StoreAddress.parse(
                TestServers.etcdUrl(), new Credentials(Optional.empty(), Optional.empty()), Optional.empty())) {
            assertThat(address.examine().isHealthy()).isTrue();
            Report report = TrialRun.of(address, BehaviourTable.all(), BRIEF, new Progress() {});
            assertPassed(report, "etcd");
        }
    }

    @Test
    void passesOnARedisCluster() throws Exception {
        String url = clusterUrl();
        try (StoreAddress address =
                StoreAddress.parse(url, new Credentials(Optional.empty(), Optional.empty()), Optional.empty())) {
            List<String> some = List.of("H4", "H13", "O7", "X1", "X2", "X3", "X5", "X6", "X7");
            Report report = TrialRun.of(address, BehaviourTable.only(some), BRIEF, new Progress() {});
            assertPassed(report, "Redis");
        }
        Run doctor = Run.of("doctor", "--store", url);
        assertThat(doctor.code()).as(doctor.all()).isEqualTo(ExitCode.OK.number());
        assertThat(Run.of("locks", "--store", url).all()).contains("knows no namespace 'default'");
    }

    private static String clusterUrl() {
        return TestServers.redisCluster().urls().stream()
                .map(node -> node.substring("redis://".length()))
                .collect(Collectors.joining(",", "redis-cluster://", ""));
    }

    private static List<String> redisKeys(String url) {
        RedisClient client = RedisClient.create(url);
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            return connection.sync().keys("*verify-*");
        } finally {
            client.shutdown();
        }
    }

    @Test
    void twoAtATimeDoNotDisturbEachOther() {
        for (TestServer server : List.of(TestServers.mysql(), TestServers.postgres())) {
            CompletableFuture<Report> beside = CompletableFuture.supplyAsync(() -> verify(server, "H4", "X2", "O6"));
            assertNothingFailed(verify(server, "H4", "X2", "O6"));
            assertNothingFailed(beside.join());
        }
    }

    @Test
    void withoutTheRightToMakeADatabaseItSaysWhatToGrant() throws SQLException {
        TestServer mysql = TestServers.mysql();
        String poor = createUser(mysql, "secret-1");
        execute(mysql, "GRANT ALL ON " + mysql.database() + ".* TO " + poor);

        Run printed = Run.of(StoreArgs.of(mysql.jdbcUrl(), poor, "secret-1", "verify"));

        assertThat(printed.code()).isEqualTo(4);
        assertThat(printed.err())
                .contains("Access denied", "GRANT ALL ON `lockstep\\_verify\\_%`.*")
                .doesNotContain("secret-1", "\tat ");
    }

    @Test
    void withoutTheRightToSeeOthersItIsDoubtfulAndSaysWhatToGrant() throws SQLException {
        TestServer mysql = TestServers.mysql();
        String blind = createUser(mysql, "secret-2");
        execute(mysql, "GRANT ALL ON `lockstep\\_verify\\_%`.* TO " + blind);
        execute(mysql, "GRANT SELECT ON " + mysql.database() + ".* TO " + blind);

        Report report = verify(mysql.jdbcUrl(), blind, "secret-2", "X7", "H4.1", "H9", "H12.2", "X6");

        assertNothingFailed(report);
        assertDoubtfulSight(report);
        assertThat(report.results())
                .filteredOn(result -> result.behaviour().id().equals("X6"))
                .singleElement()
                .satisfies(result -> assertThat(result.outcome())
                        .isInstanceOfSatisfying(
                                TrialOutcome.Doubtful.class,
                                doubtful -> assertThat(doubtful.advice()).contains("GRANT PROCESS ON *.*")));
    }

    private String createUser(TestServer server, String password) throws SQLException {
        String user = "u" + UUID.randomUUID().toString().substring(0, 8);
        execute(server, "CREATE USER " + user + " IDENTIFIED BY '" + password + "'");
        users.add(user);
        return user;
    }

    @AfterEach
    void dropUsers() throws SQLException {
        for (String user : users) {
            execute(TestServers.mysql(), "DROP USER " + user);
        }
    }

    private static void execute(TestServer server, String sql) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void aServerThatDoesNotAnswerIsUnreachable() throws Exception {
        TestServer postgres = TestServers.postgres();
        assertThat(postgres.kind()).isEqualTo(ServerKind.POSTGRES);
        try (TcpProxy network = TcpProxy.to(postgres)) {
            network.freeze();

            Run printed =
                    Run.of("verify", "--store", postgres.jdbcUrl(network), "--user", postgres.user(), "--limit", "2");

            assertThat(printed.code()).as(printed.err()).isEqualTo(3);
            assertThat(printed.err()).contains("did not answer within 2.0 s", "The server may still make the place");
        }
    }
}
