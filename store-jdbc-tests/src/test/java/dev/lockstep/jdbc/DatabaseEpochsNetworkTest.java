package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import dev.lockstep.core.spi.Epoch;
import dev.lockstep.core.spi.EpochRegister;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.testservers.TcpProxy;
import dev.lockstep.testservers.TestServers;
import java.sql.SQLException;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
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
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The network between a register and its server breaks: every call ends, and what is said afterwards is true. */
@Tag("slow")
@Tag("once")
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
@ParameterizedClass
@EnumSource
class DatabaseEpochsNetworkTest {
    /** Far more than a question may take, also where the machine stands still for a while. */
    private static final Duration ENDS = Duration.ofMinutes(2);

    @Parameter
    Server server;

    private EpochDatabase database;
    private TcpProxy proxy;
    private LockStore store;
    private EpochRegister register;

    @BeforeEach
    void connect() throws SQLException {
        database = EpochDatabase.on(server).provisioned();
        proxy = TcpProxy.to(TestServers.shared(server.kind()));
        store = database.store(new DriverManagerDataSource(
                database.database.jdbcUrl(proxy), database.database.user(), database.database.password()));
        register = store.epochs(EpochDatabase.PAIR).orElseThrow();
        register.requireUsable();
    }

    @AfterEach
    void disconnect() throws SQLException {
        proxy.accept();
        proxy.thaw();
        database.close();
        proxy.close();
    }

    @Test
    void oneConnectionIsKeptAndACutOneReplacedUnseen() {
        long before = proxy.accepted();
        register.read();
        store.ping();
        store.identity();
        Epoch first = register.read();
        assertThat(proxy.accepted()).isEqualTo(before);
        proxy.cut();
        assertThat(register.read()).isEqualTo(first);
        proxy.cut();
        assertThat(register.replace(first, first.switched())).isTrue();
        proxy.cut();
        store.ping();
    }

    @Test
    void refusedConnectionsAreNoAnswer() {
        proxy.refuse();
        proxy.cut();
        assertUnavailable(register::read);
        assertUnavailable(store::ping);
        assertUnavailable(store::identity);
        assertUnavailable(register::requireUsable);
        proxy.accept();
        register.requireUsable();
        store.ping();
    }

    @Test
    void aSilentNetworkEndsEveryCall() {
        Epoch first = register.read();
        proxy.freeze();
        assertUnavailable(register::read);
        assertUnavailable(() -> register.replace(first, first.switched()));
        assertUnavailable(store::ping);
        proxy.thaw();
        proxy.cut();
        Epoch now = register.read();
        assertThat(now).isIn(first, first.switched());
        assertThat(register.replace(now, now.switched())).isTrue();
        assertThat(database.open().read()).isEqualTo(now.switched());
    }

    @Test
    void aRowThatIsLockedEndsTheCall() throws SQLException {
        Epoch first = register.read();
        try (var other = database.database.connect();
                var statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.executeUpdate("UPDATE lockstep_epochs SET changes = changes + 1");
            assertUnavailable(() -> register.replace(first, first.switched()));
            assertThat(register.read()).isEqualTo(first);
            other.rollback();
        }
        assertThat(register.read()).isIn(first, first.switched());
    }

    @Test
    void aClosedStoreSaysSo() {
        store.close();
        assertThatThrownBy(register::read)
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
    }

    private static void assertUnavailable(ThrowingCallable call) {
        assertTimeoutPreemptively(
                ENDS,
                () -> assertThatThrownBy(call)
                        .isInstanceOfSatisfying(
                                LockException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE)));
    }
}
