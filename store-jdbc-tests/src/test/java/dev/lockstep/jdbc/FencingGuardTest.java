package dev.lockstep.jdbc;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.FencingToken;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What the guard accepts and refuses, on each real server. */
@Tag("slow")
@Tag("once")
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
@ParameterizedClass
@EnumSource(names = {"MYSQL", "MARIADB", "POSTGRES"})
class FencingGuardTest {
    private static final LockKey KEY = Tenancy.user("u1");

    @Parameter
    ServerKind kind;

    private TestDatabase database;
    private Connection connection;
    private FencingGuard guard;

    @BeforeEach
    void begin() throws SQLException {
        database = TestServers.shared(kind).freshDatabase();
        connection = database.connect();
        FencingGuard.createTable(connection);
        connection.setAutoCommit(false);
        guard = FencingGuard.on(connection);
    }

    @AfterEach
    void end() throws SQLException {
        connection.close();
        database.close();
    }

    private static FencingToken token(long epoch, long value) {
        return new FencingToken(epoch, value);
    }

    @Test
    void risingTokensAreAcceptedAndAnEqualOneToo() {
        guard.check("job", "j1", token(0, 5));
        guard.check("job", "j1", token(0, 5));
        guard.check("job", "j1", token(0, 6));
        guard.check("job", "j1", token(0, Long.MAX_VALUE));
    }

    @Test
    void aLowerTokenIsRefusedWithTheThingAndBothTokens() throws SQLException {
        guard.check("job", "j1", token(0, 1_790_000_000_000_007L));
        connection.commit();

        StaleTokenException refusal = catchThrowableOfType(
                StaleTokenException.class, () -> guard.check("job", "j1", token(0, 1_790_000_000_000_006L)));

        assertThat(refusal)
                .hasMessageContainingAll("job 'j1'", "0.1790000000000006", "0.1790000000000007", "Roll back");
        assertThat(refusal.code()).isEqualTo(ErrorCode.STALE_TOKEN);
        assertThat(refusal.retryable()).isFalse();
        assertThat(refusal.thingKind()).isEqualTo("job");
        assertThat(refusal.thingId()).isEqualTo("j1");
        assertThat(refusal.token()).isEqualTo(token(0, 1_790_000_000_000_006L));
        assertThat(refusal.seen()).contains(token(0, 1_790_000_000_000_007L));
    }

    @Test
    void theEpochIsComparedFirst() {
        guard.check("job", "j1", token(0, 900));
        guard.check("job", "j1", token(1, 3));

        assertThatThrownBy(() -> guard.check("job", "j1", token(0, 901)))
                .isInstanceOf(StaleTokenException.class)
                .hasMessageContainingAll("0.901", "1.3");
        assertThatThrownBy(() -> guard.check("job", "j1", token(1, 2))).isInstanceOf(StaleTokenException.class);
        guard.check("job", "j1", token(1, 4));
    }

    @Test
    void aRefusalChangesNothing() throws SQLException {
        guard.check("job", "j1", token(0, 7));
        connection.commit();
        assertThatThrownBy(() -> guard.check("job", "j1", token(0, 6))).isInstanceOf(StaleTokenException.class);
        connection.commit();

        assertThatThrownBy(() -> guard.check("job", "j1", token(0, 6)))
                .isInstanceOfSatisfying(
                        StaleTokenException.class, e -> assertThat(e.seen()).contains(token(0, 7)));
    }

    @Test
    void whatWasRolledBackWasNotSeen() throws SQLException {
        guard.check("job", "j1", token(0, 7));
        connection.rollback();

        guard.check("job", "j1", token(0, 6));
    }

    @Test
    void thingsDifferByEveryByteOfTheirNames() {
        List<String> ids = List.of(
                "a",
                "A",
                "ä",
                "a\u0308",
                "á",
                "ａ",
                "a ",
                "a  ",
                " a",
                "a\u0000",
                "a\u0000\u0000",
                "it's",
                "it''s",
                "\"q\"",
                "back\\slash",
                "back\\\\slash",
                "100%",
                "_",
                "?",
                "; DROP TABLE lockstep_fences; --",
                "在庫/東京",
                "재고",
                "😀",
                "😁",
                "ß",
                "ss",
                "new\nline",
                "語".repeat(512),
                "語".repeat(511) + "誤");
        for (int i = 0; i < ids.size(); i++) {
            guard.check("job", ids.get(i), token(0, 1_000 - i));
            guard.check("Job", ids.get(i), token(0, 100 - i));
            guard.check("job ", ids.get(i), token(0, 100 - i));
        }
        for (int i = 0; i < ids.size(); i++) {
            String id = ids.get(i);
            FencingToken seen = token(0, 1_000 - i);
            assertThatThrownBy(() -> guard.check("job", id, token(0, 1)))
                    .isInstanceOfSatisfying(
                            StaleTokenException.class, e -> assertThat(e.seen()).contains(seen));
        }
    }

    @Test
    void aLeaseIsCheckedWithItsTokenAndItsKeys() {
        try (Locks locks = Locks.inMemory()) {
            Lease old = locks.acquire(exclusive(KEY).forTerm(Duration.ofMinutes(10)));
            guard.check("job", "j1", old);
            guard.check("job", "j1", token(old.token().epoch(), old.token().value() + 1));

            assertThatThrownBy(() -> guard.check("job", "j1", old))
                    .isInstanceOfSatisfying(
                            StaleTokenException.class, e -> assertThat(e.keys()).containsExactly(KEY));
            old.close();
        }
    }

    @Test
    void aLeaseThatIsNotHeldIsRefusedBeforeTheDatabaseIsAsked() throws SQLException {
        try (Locks locks = Locks.inMemory()) {
            Lease lease = locks.acquire(exclusive(KEY).forTerm(Duration.ofMinutes(10)));
            lease.close();

            assertThatThrownBy(() -> guard.check("job", "j1", lease)).isInstanceOf(LeaseLostException.class);
        }
        guard.check("job", "j1", token(0, 1));
    }

    @Test
    void autocommitIsRefused() throws SQLException {
        connection.setAutoCommit(true);

        assertThatThrownBy(() -> guard.check("job", "j1", token(0, 1)))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContainingAll("autocommit", "setAutoCommit(false)");
    }

    @Test
    void aMissingTableIsAnErrorWithTheStatementThatCreatesIt() throws SQLException {
        connection.setAutoCommit(true);
        try (Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE lockstep_fences");
        }
        connection.setAutoCommit(false);

        LockException error = catchThrowableOfType(LockException.class, () -> guard.check("job", "j1", token(0, 1)));
        assertThat(error.code()).isEqualTo(ErrorCode.STORE_FAILED);
        String create = error.getMessage().substring(error.getMessage().indexOf("CREATE TABLE"));
        connection.rollback();
        try (Statement statement = connection.createStatement()) {
            statement.execute(create);
        }
        guard.check("job", "j1", token(0, 1));
    }

    @Test
    void createTableNeedsAutocommitAndMayBeCalledAgain() throws SQLException {
        assertThatThrownBy(() -> FencingGuard.createTable(connection))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("autocommit");
        connection.setAutoCommit(true);
        assertThatCode(() -> FencingGuard.createTable(connection)).doesNotThrowAnyException();
        assertThat(FencingGuard.tableSql(connection.getMetaData().getDatabaseProductName()))
                .startsWith("CREATE TABLE IF NOT EXISTS lockstep_fences");
    }

    @Test
    void severalSessionsMayCreateTheTableAtOnce() throws SQLException {
        for (int round = 0; round < 5; round++) {
            connection.setAutoCommit(true);
            try (Statement statement = connection.createStatement()) {
                statement.execute("DROP TABLE lockstep_fences");
            }
            CompletableFuture<?>[] creations = IntStream.range(0, 6)
                    .mapToObj(i -> CompletableFuture.runAsync(this::createOnConnectionOfItsOwn))
                    .toArray(CompletableFuture[]::new);
            CompletableFuture.allOf(creations).join();
        }
    }

    private void createOnConnectionOfItsOwn() {
        try (Connection own = database.connect()) {
            FencingGuard.createTable(own);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
