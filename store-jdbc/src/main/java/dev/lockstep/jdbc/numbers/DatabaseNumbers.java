package dev.lockstep.jdbc.numbers;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.spi.SharedNumbers;
import dev.lockstep.jdbc.sql.DatabaseErrors;
import dev.lockstep.jdbc.sql.DedicatedConnection;
import dev.lockstep.jdbc.sql.Queries;
import dev.lockstep.jdbc.sql.SqlCall;
import dev.lockstep.jdbc.sql.SqlFault;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalLong;

/** Shared numbers as rows of a table, which is created when it is first needed. */
public final class DatabaseNumbers implements SharedNumbers {
    private final DedicatedConnection connection;
    private final NumberSql sql;
    private final String namespace;

    /** With the numbers of this namespace; empty for a server whose locks have none. */
    public DatabaseNumbers(DedicatedConnection connection, NumberSql sql, String namespace) {
        this.connection = connection;
        this.sql = sql;
        this.namespace = namespace;
    }

    @Override
    public long declare(String name, long number) {
        return call(name, () -> connection.call(at -> declared(at, named(name), number)));
    }

    private long declared(Connection at, String name, long number) throws SQLException {
        try {
            OptionalLong known = sql.read(at, name);
            if (known.isPresent()) {
                return known.getAsLong();
            }
        } catch (SQLException e) {
            if (SqlFault.of(e) != SqlFault.MISSING_TABLE) {
                throw e;
            }
            Queries.createTable(at, sql.create);
        }
        sql.insert(at, name, number);
        return sql.read(at, name).orElseThrow(() -> new SQLException("The row '" + name + "' is gone again"));
    }

    @Override
    public boolean replace(String name, long expected, long next) {
        return call(name, () -> connection.call(at -> replaced(at, named(name), expected, next)));
    }

    private boolean replaced(Connection at, String name, long expected, long next) throws SQLException {
        return sql.replace(at, name, expected, next) || sql.read(at, name).equals(OptionalLong.of(next));
    }

    private String named(String name) {
        return namespace.isEmpty() ? name : namespace + " " + name;
    }

    private <T> T call(String name, SqlCall<T> call) {
        String doing = "Reading or changing the number '" + name + "' in " + NumberSql.TABLE;
        try {
            return call.run();
        } catch (SQLException e) {
            if (SqlFault.of(e) == SqlFault.DENIED) {
                throw new InvalidRequestException(doing + " is refused by the database: " + e.getMessage()
                        + ". Nothing is held. Grant the user SELECT, INSERT and UPDATE on the table, and create it if it is missing:\n"
                        + sql.create);
            }
            throw DatabaseErrors.of(e, doing);
        }
    }
}
