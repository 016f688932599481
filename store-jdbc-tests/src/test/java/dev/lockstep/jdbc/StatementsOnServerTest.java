package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.jdbc.sql.PreparedStatements;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/** Which statements of a connection are prepared on the server, and what of the store's room there they use. */
class StatementsOnServerTest {
    private static final int USES = 10;

    private final PreparedStatement onServer = proxy(PreparedStatement.class, null);
    private final PreparedStatement ofDriver = proxy(PreparedStatement.class, null);
    private final Connection connection = proxy(Connection.class, ofDriver);
    private final PreparedStatements statements = new PreparedStatements(connection);
    private int attempts;

    private static <T> T proxy(Class<T> type, Object result) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> method.getReturnType() == void.class ? null : result));
    }

    private PreparedStatement prepare(String sql) {
        attempts++;
        return onServer;
    }

    private PreparedStatements.Preparation refusing(SQLException refusal) {
        return sql -> {
            attempts++;
            throw refusal;
        };
    }

    /** What a statement is after it was used often. */
    private static PreparedStatement used(PreparedStatements some, String sql) throws SQLException {
        PreparedStatement last = some.get(sql);
        for (int i = 1; i < USES; i++) {
            last = some.get(sql);
        }
        return last;
    }

    @Test
    void withoutRoomTheDriversStatementIsUsed() throws SQLException {
        Semaphore room = new Semaphore(1);
        statements.prepareOnServer(this::prepare, room);
        assertThat(used(statements, "a")).isSameAs(onServer);
        assertThat(used(statements, "b")).isSameAs(ofDriver);
        assertThat(attempts).isOne();
    }

    @Test
    void roomIsReturnedWhenStatementsAreClosedOrTheirConnectionIsDropped() throws SQLException {
        Semaphore room = new Semaphore(1);
        statements.prepareOnServer(this::prepare, room);
        PreparedStatements others = new PreparedStatements(connection);
        others.prepareOnServer(this::prepare, room);
        used(statements, "a");
        assertThat(used(others, "a")).isSameAs(ofDriver);
        statements.close();
        assertThat(others.get("a")).isSameAs(onServer);
        others.dropped();
        others.dropped();
        others.close();
        assertThat(room.availablePermits()).isOne();
        assertThat(used(others, "b")).isSameAs(ofDriver);
    }

    @Test
    void statementsThatAreUsedNoMoreMakeRoomForOthers() throws SQLException {
        Semaphore room = new Semaphore(100);
        statements.prepareOnServer(this::prepare, room);
        for (int i = 0; i < 50; i++) {
            used(statements, "s" + i);
        }
        assertThat(room.availablePermits()).isEqualTo(100 - 16);
    }

    @Test
    void roomForAStatementOfAConnectionThatIsDroppedMeanwhileIsReturned() throws SQLException {
        Semaphore room = new Semaphore(1);
        statements.prepareOnServer(
                sql -> {
                    statements.dropped();
                    return onServer;
                },
                room);
        used(statements, "a");
        assertThat(room.availablePermits()).isOne();
    }

    @Test
    void whereNothingCanBePreparedTheDriversStatementsAreUsed() throws SQLException {
        Semaphore room = new Semaphore(1);
        statements.prepareOnServer(
                refusing(new SQLException(
                        "This command is not supported in the prepared statement protocol yet", "HY000", 1295)),
                room);
        assertThat(used(statements, "a")).isSameAs(ofDriver);
        assertThat(used(statements, "b")).isSameAs(ofDriver);
        assertThat(attempts).isOne();
        assertThat(room.availablePermits()).isOne();
    }

    @Test
    void aLostConnectionAndAnEndedWaitAreReported() {
        for (SQLException refusal :
                new SQLException[] {new SQLException("lost", "08S01"), new SQLException("killed", "", 1317)}) {
            PreparedStatements some = new PreparedStatements(connection);
            some.prepareOnServer(refusing(refusal), new Semaphore(1));
            assertThatThrownBy(() -> used(some, "a")).isSameAs(refusal);
        }
    }
}
