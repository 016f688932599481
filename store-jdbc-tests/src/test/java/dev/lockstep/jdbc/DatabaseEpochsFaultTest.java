package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockException;
import dev.lockstep.core.spi.Epoch;
import dev.lockstep.core.spi.EpochRegister;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.Scale;
import dev.lockstep.testservers.TestServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The server of a register takes no writes, refuses the user, or dies. */
@Tag("slow")
@Tag("once")
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class DatabaseEpochsFaultTest {
    @ParameterizedTest
    @EnumSource
    void aServerThatTakesNoWritesIsNotBelievedAndWhatWasReplacedIsThereAfterAKill(Server server) throws SQLException {
        try (PrivateServer machine = TestServers.start(server.kind());
                EpochDatabase database = EpochDatabase.on(server, machine).provisioned()) {
            takesNoWrites(server, machine, database);
            dies(server, machine, database);
        }
    }

    private static void takesNoWrites(Server server, PrivateServer machine, EpochDatabase database)
            throws SQLException {
        EpochRegister register = database.open();
        LockStore store = database.store(database.dataSource());
        Epoch first = register.read();
        store.ping();
        readOnly(server, machine, true);
        assertUnavailable(register::read);
        assertUnavailable(() -> register.replace(first, first.switched()));
        assertUnavailable(store::ping);
        assertThatThrownBy(register::requireUsable)
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("doesn't take writes");
        readOnly(server, machine, false);
        register.requireUsable();
        store.ping();
        assertThat(register.read()).isEqualTo(first);
    }

    /** Also where the server reports commits before they are durable, unless a session asks for more. */
    private static void dies(Server server, PrivateServer machine, EpochDatabase database) throws SQLException {
        for (String sql : server.earlyCommits(database.database.name())) {
            database.run(sql);
        }
        EpochRegister register = database.open();
        for (int i = 0; i < Scale.pick(2, 10); i++) {
            Epoch next = register.read().switched().withTerms("round " + i);
            assertThat(register.replace(register.read(), next)).isTrue();
            machine.kill();
            assertUnavailable(register::read);
            assertUnavailable(() -> database.open().requireUsable());
            machine.restart();
            assertThat(register.read()).isEqualTo(next);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aUserWhoMayNotChangeTheRowIsRefused(Server server) throws SQLException {
        String reader = "r_" + UUID.randomUUID().toString().substring(0, 8);
        try (EpochDatabase database = EpochDatabase.on(server).provisioned()) {
            for (String sql : server.reader(reader, database.database.name())) {
                database.run(sql);
            }
            EpochRegister register = database.open(Databases.of(database.database, reader, "secret"));
            assertThat(register.read().side()).isEqualTo(Epoch.Side.PRIMARY);
            assertThatThrownBy(register::requireUsable)
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("UPDATE on lockstep_epochs");
        } finally {
            Doctors.execute(Databases.of(TestServers.shared(server.kind())), "DROP USER IF EXISTS " + reader);
        }
    }

    private static void readOnly(Server server, PrivateServer machine, boolean on) throws SQLException {
        try (Connection admin = machine.connect();
                Statement statement = admin.createStatement()) {
            for (String sql : server.readOnly(on)) {
                statement.execute(sql);
            }
        }
        await().until(() -> isReadOnly(server, machine) == on);
    }

    private static boolean isReadOnly(Server server, PrivateServer machine) throws SQLException {
        try (Connection admin = machine.connect();
                Statement statement = admin.createStatement();
                ResultSet row = statement.executeQuery(server.isReadOnly())) {
            row.next();
            return row.getBoolean(1);
        }
    }

    private static void assertUnavailable(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE));
    }
}
