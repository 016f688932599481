package dev.lockstep.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("slow")
@Tag("once")
class PrivateServerTest {

    @ParameterizedTest
    @EnumSource
    void aClosedServerLeavesNothing(ServerKind kind) {
        PrivateServer server = TestServers.start(kind);
        assertThat(ProcessHandle.of(server.pid())).isPresent();
        assertThat(server.directory()).isDirectory();
        server.close();
        assertThat(ProcessHandle.of(server.pid())).isEmpty();
        assertThat(server.directory()).doesNotExist();
        assertThatThrownBy(() -> connect(server)).isInstanceOf(ConnectException.class);
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"REDIS", "REDIS_7"})
    void aKilledServerComesBackOnItsPortWithItsData(ServerKind kind) throws SQLException {
        try (PrivateServer server = TestServers.start(kind);
                Connection connection = server.connect()) {
            Sql.execute(connection, "CREATE TABLE t (id INT PRIMARY KEY)");
            Sql.execute(connection, "INSERT INTO t VALUES (42)");
            server.kill();
            assertThatThrownBy(() -> connect(server)).isInstanceOf(ConnectException.class);
            assertThatThrownBy(() -> Sql.number(connection, "SELECT id FROM t")).isInstanceOf(SQLException.class);
            server.restart();
            try (Connection again = server.connect()) {
                assertThat(Sql.number(again, "SELECT id FROM t")).isEqualTo(42);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void aServerKeepsItsTemporaryTablesWhereNoOtherOneDeletesThem(ServerKind kind) throws SQLException {
        try (PrivateServer server = TestServers.start(kind);
                Connection connection = server.connect();
                ResultSet row = connection.createStatement().executeQuery("SELECT @@tmpdir")) {
            row.next();
            assertThat(Path.of(row.getString(1))).startsWith(server.directory());
        }
    }

    @Test
    void aKilledRedisComesBackWithItsData() {
        try (PrivateServer server = TestServers.startRedis()) {
            assertThat(Redis.ask(server, "INCR n")).isEqualTo(":1");
            server.kill();
            server.restart();
            assertThat(Redis.ask(server, "INCR n")).isEqualTo(":2");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aStoppedServerEndsThoughAClientIsConnected(ServerKind kind) throws IOException {
        try (PrivateServer server = TestServers.start(kind);
                Socket socket = connect(server)) {
            server.stop();
            assertThat(ProcessHandle.of(server.pid())).isEmpty();
            assertThat(socket.isConnected()).isTrue();
            server.restart();
            assertThat(ProcessHandle.of(server.pid())).isPresent();
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"REDIS", "REDIS_7"})
    void aPausedServerContinuesWhereItStopped(ServerKind kind) throws Exception {
        try (PrivateServer server = TestServers.start(kind);
                Connection connection = server.connect()) {
            pausedAndResumed(server, () -> Sql.number(connection, "SELECT 42"), 42);
        }
    }

    @Test
    void aPausedRedisContinuesWhereItStopped() throws Exception {
        try (PrivateServer server = TestServers.startRedis();
                Socket socket = connect(server)) {
            pausedAndResumed(server, () -> Redis.ask(socket, "PING"), "+PONG");
        }
    }

    private static <T> void pausedAndResumed(PrivateServer server, Callable<T> question, T answer) throws Exception {
        server.pause();
        var asking = new FutureTask<>(question);
        new Thread(asking, "asking").start();
        assertThatThrownBy(() -> asking.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        server.resume();
        assertThat(asking.get(120, TimeUnit.SECONDS)).isEqualTo(answer);
    }

    @ParameterizedTest
    @EnumSource
    void aPausedServerCanBeClosed(ServerKind kind) {
        PrivateServer server = TestServers.start(kind);
        server.pause();
        server.close();
        assertThat(ProcessHandle.of(server.pid())).isEmpty();
        assertThat(server.directory()).doesNotExist();
    }

    @Test
    void optionsReachTheServer() throws SQLException {
        try (PrivateServer server = TestServers.startMysql("--innodb-lock-wait-timeout=7");
                Connection connection = server.connect()) {
            assertThat(Sql.number(connection, "SELECT @@innodb_lock_wait_timeout"))
                    .isEqualTo(7);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aServerThatCanNotStartIsAnErrorWithItsLog(ServerKind kind) {
        Set<ProcessHandle> before = children();
        assertThatThrownBy(() -> TestServers.start(kind, "--no-such-option=1"))
                .hasMessageContaining(kind + " could not be started")
                .hasMessageContaining("ended while it was starting")
                .hasMessageMatching("(?s).*no.such.option.*");
        await().untilAsserted(() -> assertThat(children()).isEqualTo(before));
    }

    private static Set<ProcessHandle> children() {
        return ProcessHandle.current().children().collect(Collectors.toSet());
    }

    @Test
    void aKilledPostgresLeavesNoProcessThatKeepsItFromStarting() throws SQLException {
        List<Connection> connections = new ArrayList<>();
        try (PrivateServer server = TestServers.startPostgres()) {
            for (int i = 0; i < 50; i++) {
                connections.add(server.connect());
            }
            server.kill();
            for (Connection connection : connections) {
                assertThat(connection.isValid(5)).isFalse();
            }
            server.restart();
            try (Connection again = server.connect()) {
                assertThat(Sql.number(again, "SELECT 42")).isEqualTo(42);
            }
        }
    }

    private static Socket connect(TestServer server) throws IOException {
        return new Socket(server.host(), server.port());
    }
}
