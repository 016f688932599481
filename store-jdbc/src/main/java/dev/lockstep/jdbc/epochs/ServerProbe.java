package dev.lockstep.jdbc.epochs;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import dev.lockstep.core.spi.EpochRegister;
import dev.lockstep.core.spi.SharedNumbers;
import dev.lockstep.jdbc.numbers.DatabaseNumbers;
import dev.lockstep.jdbc.numbers.NumberSql;
import dev.lockstep.jdbc.sql.DatabaseErrors;
import dev.lockstep.jdbc.sql.DedicatedConnection;
import dev.lockstep.jdbc.sql.Queries;
import dev.lockstep.jdbc.sql.SqlFault;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.TreeMap;
import javax.sql.DataSource;

/** Reports whether a store's server works and which one it is, over a connection that no lease uses. */
public final class ServerProbe implements AutoCloseable {
    private static final String INNODB_SERVER = "SHOW GLOBAL VARIABLES WHERE Variable_name IN"
            + " ('server_uuid', 'server_uid', 'server_id', 'hostname', 'port', 'datadir')";

    private final DedicatedConnection connection;
    private final EpochSql sql;
    private final String namespace;

    public ServerProbe(DataSource dataSource, EpochSql sql, String namespace) {
        connection = new DedicatedConnection(dataSource, DedicatedConnection.RESPONSE_TIMEOUT);
        this.sql = sql;
        this.namespace = namespace;
    }

    public EpochRegister epochs(String name) {
        return new DatabaseEpochs(connection, sql, name);
    }

    public SharedNumbers numbers() {
        NumberSql table = sql == EpochSql.POSTGRESQL ? NumberSql.POSTGRESQL : NumberSql.MYSQL;
        return new DatabaseNumbers(connection, table, namespace);
    }

    public void ping() {
        if (call("Asking the database whether it works", sql::isStandby)) {
            throw new LockException(
                    ErrorCode.STORE_UNAVAILABLE,
                    "The database doesn't take writes. Locks of a replica have no effect on the primary: connect to the primary.",
                    List.of(),
                    null);
        }
    }

    public String identity() {
        return call(
                "Asking the database where it is", sql == EpochSql.POSTGRESQL ? this::postgres : ServerProbe::innoDb);
    }

    private static String innoDb(Connection connection) throws SQLException {
        return new TreeMap<>(Queries.pairs(connection, INNODB_SERVER)) + "/" + connection.getCatalog();
    }

    private String postgres(Connection connection) throws SQLException {
        return "postgresql " + postgresServer(connection) + "/" + Queries.text(connection, "SELECT current_database()")
                + "/" + namespace;
    }

    /** Some are not allowed to see the identifier; when the server was started is as good, as long as it runs. */
    private static String postgresServer(Connection connection) throws SQLException {
        try {
            return Queries.text(connection, "SELECT system_identifier FROM pg_control_system()");
        } catch (SQLException e) {
            if (SqlFault.of(e) != SqlFault.DENIED) {
                throw e;
            }
            return Queries.text(connection, "SELECT extract(epoch FROM pg_postmaster_start_time())");
        }
    }

    private <T> T call(String doing, DedicatedConnection.Call<T> call) {
        try {
            return connection.call(call);
        } catch (SQLException e) {
            throw DatabaseErrors.of(e, doing);
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
