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
import dev.lockstep.testservers.TestServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The server of a register takes no writes, refuses the user, or dies. */
@Tag("slow")
@Tag("once")
@Timeout(300)
class DatabaseEpochsFaultTest {
    @ParameterizedTest
    @EnumSource
    void aServerThatTakesNoWritesIsNotBelieved(Server server) throws SQLException {
        try (PrivateServer machine = TestServers.start(server.kind());
                EpochDatabase database = EpochDatabase.on(server, machine).provisioned()) {
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
    }

    @ParameterizedTest
    @EnumSource
    void whatWasReplacedIsThereAfterAKill(Server server) throws SQLException {
        try (PrivateServer machine = TestServers.start(server.kind());
                EpochDatabase database = EpochDatabase.on(server, machine).provisioned()) {
            EpochRegister register = database.open();
            for (int i = 0; i < 3; i++) {
                Epoch next = register.read().switched().withTerms("round " + i);
                assertThat(register.replace(register.read(), next)).isTrue();
                machine.kill();
                assertUnavailable(register::read);
                assertUnavailable(() -> database.open().requireUsable());
                machine.restart();
                assertThat(register.read()).isEqualTo(next);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = "POSTGRES")
    void aServerThatCommitsBeforeItLastsMakesThisLast(Server server) throws SQLException {
        try (PrivateServer machine = TestServers.start(server.kind(), "-c", "synchronous_commit=off");
                EpochDatabase database = EpochDatabase.on(server, machine).provisioned()) {
            EpochRegister register = database.open();
            database.run("CHECKPOINT");
            for (int i = 0; i < 3; i++) {
                Epoch next = register.read().switched();
                assertThat(register.replace(register.read(), next)).isTrue();
                machine.kill();
                machine.restart();
                assertThat(register.read()).isEqualTo(next);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aUserWhoMayNotChangeTheRowIsRefused(Server server) throws SQLException {
        try (PrivateServer machine = TestServers.start(server.kind());
                EpochDatabase database = EpochDatabase.on(server, machine).provisioned()) {
            for (String sql : server.reader("looker", database.database.name())) {
                database.run(sql);
            }
            EpochRegister register = database.open(Databases.of(database.database, "looker", "secret"));
            assertThat(register.read().side()).isEqualTo(Epoch.Side.PRIMARY);
            assertThatThrownBy(register::requireUsable)
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("UPDATE on lockstep_epochs");
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
