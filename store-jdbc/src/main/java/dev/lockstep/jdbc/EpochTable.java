package dev.lockstep.jdbc;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.jdbc.epochs.EpochRow;
import dev.lockstep.jdbc.epochs.EpochSql;
import dev.lockstep.jdbc.sql.BorrowedConnection;
import dev.lockstep.jdbc.sql.DatabaseErrors;
import dev.lockstep.jdbc.sql.Queries;
import dev.lockstep.jdbc.sql.SqlFault;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import javax.sql.DataSource;

/**
 * Creates what a database needs to be the secondary of a {@link dev.lockstep.core.fallback.FallbackStore}: the table {@code lockstep_epochs},
 * and in it a row for each pair, which says whose turn it is. Run it once, when the pair is set up: a pair never does it itself,
 * because a row that was lost must not look like a new one.
 *
 * <pre>{@code EpochTable.on(dataSource).provision("default");}</pre>
 */
public final class EpochTable {
    private static final int LONGEST_NAME = 64;

    private final DataSource dataSource;

    private EpochTable(DataSource dataSource) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
    }

    /** The table of the MySQL, MariaDB or PostgreSQL database that the connections of this source lead to. */
    public static EpochTable on(DataSource dataSource) {
        return new EpochTable(dataSource);
    }

    /**
     * Creates the table and the row of the pair of this name if they are missing, and changes nothing that exists. Returns whether the row
     * was missing. The user needs CREATE, SELECT and INSERT; on MySQL and MariaDB UPDATE, too.
     */
    public boolean provision(String name) {
        requireName(name);
        try (BorrowedConnection borrowed = BorrowedConnection.from(dataSource)) {
            Connection connection = borrowed.connection();
            connection.setAutoCommit(true);
            return provision(connection, EpochSql.of(connection), name);
        } catch (SQLException e) {
            throw DatabaseErrors.of(e, "Making the row of the pair '" + name + "' in " + EpochSql.TABLE);
        }
    }

    private static boolean provision(Connection connection, EpochSql sql, String name) throws SQLException {
        Queries.createTable(connection, sql.create);
        EpochRow before = sql.read(connection, name);
        if (before.epoch().isEmpty()) {
            sql.insert(connection, name);
        }
        return before.epoch().isEmpty();
    }

    /** Whether the table and the row of the pair of this name are there. */
    public boolean isProvisioned(String name) {
        requireName(name);
        try (BorrowedConnection borrowed = BorrowedConnection.from(dataSource)) {
            Connection connection = borrowed.connection();
            return EpochSql.of(connection).read(connection, name).epoch().isPresent();
        } catch (SQLException e) {
            if (SqlFault.of(e) == SqlFault.MISSING_TABLE) {
                return false;
            }
            throw DatabaseErrors.of(e, "Looking for the row of the pair '" + name + "' in " + EpochSql.TABLE);
        }
    }

    /** The same as SQL, for a migration: for {@code MySQL}, {@code MariaDB} or {@code PostgreSQL}. Running it twice changes nothing. */
    public static String script(String product, String name) {
        requireName(name);
        EpochSql sql = EpochSql.of(product);
        return sql.create + ";\n\n" + sql.insert(name) + ";\n";
    }

    private static void requireName(String name) {
        if (name.isBlank() || name.length() > LONGEST_NAME) {
            throw new InvalidRequestException(
                    "A pair can't be named '" + name + "'. Give a name of 1 to " + LONGEST_NAME + " characters.");
        }
    }
}
