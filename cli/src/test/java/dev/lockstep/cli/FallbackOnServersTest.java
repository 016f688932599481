package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.spi.Epoch;
import dev.lockstep.core.spi.EpochRegister;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.jdbc.AdvisoryLockStore;
import dev.lockstep.jdbc.EpochTable;
import dev.lockstep.redis.RedisLockStore;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The commands on Redis with PostgreSQL as its fallback. */
@Tag("slow")
@Tag("once")
@Execution(ExecutionMode.CONCURRENT)
@Timeout(600)
class FallbackOnServersTest {
    private final String namespace = "pair-" + UUID.randomUUID();
    private TestDatabase database;

    @TempDir
    private Path temporary;

    @BeforeEach
    void fresh() throws Exception {
        database = TestServers.postgres().freshDatabase();
    }

    @AfterEach
    void drop() throws Exception {
        database.close();
    }

    private String[] pair(String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(List.of("--store", TestServers.redis().url(), "--namespace", namespace));
        all.addAll(List.of("--fallback", withLogin()));
        return all.toArray(String[]::new);
    }

    private String withLogin() {
        String password = database.password().isEmpty() ? "" : "&password=" + database.password();
        String url = database.jdbcUrl();
        return url + (url.contains("?") ? "&" : "?") + "user=" + database.user() + password;
    }

    private DataSource dataSource() {
        return new DriverManagerDataSource(database.jdbcUrl(), database.user(), database.password());
    }

    private void provision() {
        EpochTable.on(dataSource()).provision("default");
    }

    @Test
    void theDoctorMissesTheRegisterAndThenFindsIt() {
        Run before = Run.of(pair("doctor"));
        assertThat(before.code()).as(before.all()).isEqualTo(ExitCode.NOT_AS_IT_SHOULD.number());
        assertThat(before.out()).contains("The register of the pair 'default' can't be used", "lockstep_epochs");
        provision();
        Run after = Run.of(pair("doctor"));
        assertThat(after.out())
                .contains("Store: ", "Fallback: PostgreSQL", "The register of the pair 'default' is there");
    }

    @Test
    void withoutTheRegisterTheServerDoesNotStart() {
        Run run = Run.of(pair("serve", "--port", "0", "--data", temporary.toString(), "--kind", "user:0"));
        assertThat(run.code()).as(run.all()).isEqualTo(ExitCode.REFUSED.number());
        assertThat(run.err()).startsWith("error: ").contains("lockstep_epochs", "provision --epochs");
    }

    @Test
    void thePairIsVerifiedAndNothingStays() throws Exception {
        Run run = Run.of(pair("verify", "--only", "X4,H4,X7", "--term", "6"));
        assertThat(run.code()).as(run.all()).isEqualTo(ExitCode.OK.number());
        assertThat(run.out())
                .contains("X4.1", "with postgresql as the fallback")
                .contains("X4.3", "postgresql granted after", "redis again after");
        try (Connection connection =
                        DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
                ResultSet schemas = connection
                        .createStatement()
                        .executeQuery("SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'lockstep_verify%'")) {
            schemas.next();
            assertThat(schemas.getInt(1)).isZero();
        }
    }

    /** Nobody has used them, so there are no leases to wait for, as the first server does otherwise. */
    private void openRegisterAndNamespace() {
        try (LockStore fallback = AdvisoryLockStore.postgresql(dataSource());
                RedisLockStore redis =
                        RedisLockStore.at(TestServers.redis().url()).namespace(namespace)) {
            EpochRegister register = fallback.epochs("default").orElseThrow();
            Epoch first = register.read();
            register.replace(first, first.opened());
            redis.createNamespace();
        }
    }

    @Test
    void theServerRunsOnThePairAndLocksShowsWhichIsInUse() throws Exception {
        provision();
        openRegisterAndNamespace();
        Path folder = Files.createDirectory(temporary.resolve("run"));
        try (ServeProcess process = ServeProcess.start(folder, pair("--kind", "user:0"))) {
            String body = "{\"keys\":[\"user:u1\"],\"owner\":\"me\",\"leaseMs\":30000}";
            String server = process.ready().toString();
            await().until(() -> process.post("api/locks", body).statusCode() == 201);
            assertThat(process.get("api/status").body()).contains("\"active\":\"redis\"", "\"grants\":\"yes\"");
            assertSeen(Run.of("locks", "--server", server));
            assertSeen(Run.of(pair("locks")));
        }
    }

    private static void assertSeen(Run locks) {
        assertThat(locks.lines().get(0))
                .as(locks.all())
                .matches("Locks are on redis in epoch \\d+, with postgresql as the fallback\\.");
        assertThat(locks.lines()).anyMatch(line -> line.matches("user:u1 +X +me .*"));
    }
}
