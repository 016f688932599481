package dev.lockstep.examples;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.examples.AccountKinds.USER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.FencingToken;
import dev.lockstep.core.LockException;
import dev.lockstep.core.Locks;
import dev.lockstep.core.doctor.Diagnosis;
import dev.lockstep.core.spi.EpochRegister;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.jdbc.AdvisoryLockStore;
import dev.lockstep.jdbc.BucketSizing;
import dev.lockstep.jdbc.Doctor;
import dev.lockstep.jdbc.EpochTable;
import dev.lockstep.jdbc.FencingGuard;
import dev.lockstep.jdbc.MissingRows;
import dev.lockstep.jdbc.Provisioning;
import dev.lockstep.jdbc.ProvisioningReport;
import dev.lockstep.jdbc.RowLockStore;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What docs/operations.md tells an operator to do works on a real server; its GRANT statements are run as they are written. */
@Tag("slow")
@Tag("once")
@Timeout(300)
@ParameterizedClass
@EnumSource(names = {"MYSQL", "MARIADB", "POSTGRES"})
class OperationsOnServersTest {
    /** Blocks of SQL by their name: {@code <!-- sql: name -->}. */
    private static final Map<String, String> SQL = Pattern.compile(
                    "<!-- sql: ([\\w-]+) -->\\s*```sql\\n(.*?)```", Pattern.DOTALL)
            .matcher(Repository.read(Repository.ROOT.resolve("docs/operations.md")))
            .results()
            .collect(Collectors.toMap(block -> block.group(1), OperationsOnServersTest::body));

    private static String body(MatchResult block) {
        return block.group(2);
    }

    @Parameter
    ServerKind kind;

    private static PrivateServer server;
    private TestDatabase database;
    private DataSource dataSource;

    @BeforeParameterizedClassInvocation
    static void start(ServerKind kind) {
        server = TestServers.start(kind);
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        server.close();
    }

    @BeforeEach
    void create() throws SQLException {
        database = server.freshDatabase();
        dataSource = new DriverSource(DatabaseExamplesTest.url(database));
    }

    @AfterEach
    void drop() throws SQLException {
        database.close();
    }

    private boolean hasRows() {
        return kind != ServerKind.POSTGRES;
    }

    private static void execute(DataSource where, String sql) throws SQLException {
        try (Connection connection = where.getConnection();
                Statement statement = connection.createStatement()) {
            for (String each : sql.split(";", -1)) {
                if (!each.isBlank()) {
                    statement.execute(each.strip());
                }
            }
        }
    }

    /** What the document grants for a purpose; one block may be for MySQL and MariaDB. */
    private String granted(String purpose) {
        String own = SQL.get(purpose + "-" + kind.name().toLowerCase(Locale.ROOT));
        String shared = kind == ServerKind.MARIADB ? SQL.get(purpose + "-mysql") : null;
        assertThat(own == null ? shared : own).as(purpose).isNotNull();
        return own == null ? shared : own;
    }

    /** A user of its own, with what the document grants for a purpose. */
    private DataSource user(String... purposes) throws SQLException {
        String user = "u_" + database.name();
        String drop = hasRows() ? "DROP USER IF EXISTS " : "DROP ROLE IF EXISTS ";
        String create = hasRows()
                ? "CREATE USER " + user + " IDENTIFIED BY 'secret'"
                : "CREATE ROLE " + user + " LOGIN PASSWORD 'secret'";
        execute(dataSource, drop + user + ";" + create);
        for (String purpose : purposes) {
            String sql = granted(purpose);
            execute(dataSource, sql.replace("app_user", user).replaceAll("\\bapp\\b", database.name()));
        }
        return new DriverSource(database.jdbcUrl(Map.of("user", user, "password", "secret")));
    }

    private LockStore store(DataSource where) {
        return switch (kind) {
            case MYSQL -> RowLockStore.mysql(where);
            case MARIADB -> RowLockStore.mariadb(where);
            default -> AdvisoryLockStore.postgresql(where);
        };
    }

    private Doctor doctor(DataSource where) {
        return switch (kind) {
            case MYSQL -> Doctor.mysql(where);
            case MARIADB -> Doctor.mariadb(where);
            default -> Doctor.postgresql(where);
        };
    }

    private static Diagnosis examine(DataSource dataSource) {
        // tag::doctor
        Diagnosis diagnosis = Doctor.mysql(dataSource).connections(16).examine();
        if (!diagnosis.isHealthy()) {
            throw new IllegalStateException("These locks can't be relied on:\n" + diagnosis);
        }
        // end::doctor
        return diagnosis;
    }

    private static ProvisioningReport provision(DataSource dataSource) {
        // tag::provisioning
        int buckets = BucketSizing.bucketsFor(50, 0.005);
        ProvisioningReport report = Provisioning.of(dataSource)
                .kinds(AccountKinds.values())
                .buckets(buckets)
                .listener(progress -> System.err.println(progress.bar(40) + " " + progress))
                .run();
        // end::provisioning
        return report;
    }

    @Test
    @DisplayName("provisioning, the check and the script do what is said")
    void provisioning(@TempDir Path directory) throws SQLException, IOException {
        if (!hasRows()) {
            assertThatThrownBy(() -> provision(dataSource)).hasMessageContaining("need no rows");
            return;
        }
        assertThat(provision(dataSource).inserted()).isEqualTo(3L * BucketSizing.bucketsFor(50, 0.005));
        assertThat(provision(dataSource).inserted()).isZero();
        execute(dataSource, "DELETE FROM hier_lock_buckets WHERE level = 1 AND bucket = 7");
        // tag::provisioning-check
        MissingRows missing = Provisioning.of(dataSource).missing(); // of all kinds that the database knows
        if (!missing.isEmpty()) {
            System.err.println(missing);
        }
        // end::provisioning-check
        assertThat(missing.rows()).isEqualTo(1);
        Path file = directory.resolve("V2__locks.sql");
        // tag::provisioning-script
        String script = Provisioning.of(dataSource).kinds(AccountKinds.values()).script(); // needs no connection
        Files.writeString(file, script);
        // end::provisioning-script
        assertThat(file).content().contains("CREATE TABLE IF NOT EXISTS hier_lock_buckets");
        if (kind == ServerKind.MYSQL) {
            execute(dataSource, "INSERT INTO hier_lock_buckets VALUES (1, 7)");
            assertThat(examine(dataSource).errors()).isEmpty();
        }
    }

    @Test
    @DisplayName("the rights for locking are enough to lock, and for nothing else")
    void locking() throws SQLException {
        if (hasRows()) {
            provision(dataSource);
        }
        DataSource limited = user("locking");
        try (Locks locks = Locks.on(store(limited))) {
            locks.acquire(exclusive(USER.key("u1"))).close();
        }
        assertThat(doctor(limited).examine().errors()).isEmpty();
        if (hasRows()) {
            assertThatThrownBy(() -> provision(limited))
                    .isInstanceOf(LockException.class)
                    .hasMessageContaining("denied");
        }
    }

    @Test
    @DisplayName("the rights for the register of a pair are enough for it")
    void register() throws SQLException {
        EpochTable.on(dataSource).provision("default");
        try (LockStore store = store(user("epochs"))) {
            EpochRegister register = store.epochs("default").orElseThrow();
            register.requireUsable();
            assertThat(register.replace(register.read(), register.read().switched()))
                    .isTrue();
        }
        assertThat(doctor(dataSource).examine().findings().toString()).contains("lockstep_epochs");
    }

    @Test
    @DisplayName("the rights for provisioning are enough to provision")
    void provisioningRights() throws SQLException {
        if (hasRows()) {
            DataSource limited = user("provisioning");
            assertThat(provision(limited).inserted()).isPositive();
            assertThat(provision(limited).inserted()).isZero();
        }
    }

    @Test
    @DisplayName("the rights for sight leave the doctor without a warning of them")
    void sight() throws SQLException {
        if (hasRows()) {
            provision(dataSource);
        }
        Diagnosis seen = doctor(user("locking", "sight")).examine();
        assertThat(seen.warnings()).noneMatch(warning -> warning.whatToDo().contains("GRANT"));
        assertThat(seen.toString()).doesNotContain("GRANT pg_read_all_stats");
    }

    @Test
    @DisplayName("the rights for the guard are enough to check, also a token that is too old")
    void fences() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            FencingGuard.createTable(connection);
        }
        DataSource limited = user("fencing");
        try (Connection connection = limited.getConnection()) {
            connection.setAutoCommit(false);
            FencingGuard.on(connection).check("report", "u1", new FencingToken(0, 2));
            connection.commit();
            assertThatThrownBy(() -> FencingGuard.on(connection).check("report", "u1", new FencingToken(0, 1)))
                    .hasMessageContaining("0.2");
            connection.rollback();
        }
    }
}
