package dev.lockstep.jdbc.fencing;

import dev.lockstep.core.FencingToken;
import dev.lockstep.core.InvalidRequestException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;

/**
 * The table of the {@code FencingGuard} and its statements. Names are kept as bytes, so that no collation, no character set and no
 * trailing blank makes two of them one.
 */
public enum FenceTable {
    /**
     * MySQL and MariaDB. The number of affected rows can't distinguish a refusal from an equal token, because it depends on the driver's
     * settings; a subquery with two rows fails in every sql_mode, and fails only where it is evaluated. Names go as hexadecimal digits:
     * with NO_BACKSLASH_ESCAPES and a one-byte character set Connector/J escapes bytes wrongly.
     */
    MYSQL("""
            CREATE TABLE IF NOT EXISTS lockstep_fences (
              thing_kind VARBINARY(64) NOT NULL,
              thing_id VARBINARY(1536) NOT NULL,
              epoch BIGINT NOT NULL,
              token BIGINT NOT NULL,
              seen_at DATETIME(6) NOT NULL COMMENT 'UTC',
              PRIMARY KEY (thing_kind, thing_id)
            ) ENGINE = InnoDB ROW_FORMAT = DYNAMIC
            """, """
            INSERT INTO lockstep_fences (thing_kind, thing_id, epoch, token, seen_at)
            VALUES (UNHEX(?), UNHEX(?), ?, ?, UTC_TIMESTAMP(6))
            ON DUPLICATE KEY UPDATE
              epoch = IF((epoch, token) > (?, ?), (SELECT 1 UNION ALL SELECT 2), ?),
              token = ?,
              seen_at = UTC_TIMESTAMP(6)
            """, """
            SELECT epoch, token FROM lockstep_fences
            WHERE thing_kind = UNHEX(?) AND thing_id = UNHEX(?)
            LOCK IN SHARE MODE
            """) {
        @Override
        void bindName(PreparedStatement statement, int index, byte[] name) throws SQLException {
            statement.setString(index, HexFormat.of().formatHex(name));
        }

        @Override
        boolean raise(PreparedStatement statement, Fence fence) throws SQLException {
            statement.setLong(5, fence.token().epoch());
            statement.setLong(6, fence.token().value());
            statement.setLong(7, fence.token().epoch());
            statement.setLong(8, fence.token().value());
            try {
                statement.executeUpdate();
                return true;
            } catch (SQLException e) {
                if (e.getErrorCode() == TWO_ROWS) {
                    return false;
                }
                throw e;
            }
        }
    },

    /** PostgreSQL: a refused update changes no row. */
    POSTGRESQL("""
            CREATE TABLE IF NOT EXISTS lockstep_fences (
              thing_kind BYTEA NOT NULL,
              thing_id BYTEA NOT NULL,
              epoch BIGINT NOT NULL,
              token BIGINT NOT NULL,
              seen_at TIMESTAMPTZ NOT NULL,
              PRIMARY KEY (thing_kind, thing_id)
            )
            """, """
            INSERT INTO lockstep_fences AS fence (thing_kind, thing_id, epoch, token, seen_at)
            VALUES (?, ?, ?, ?, clock_timestamp())
            ON CONFLICT (thing_kind, thing_id) DO UPDATE
            SET epoch = excluded.epoch, token = excluded.token, seen_at = excluded.seen_at
            WHERE (fence.epoch, fence.token) <= (excluded.epoch, excluded.token)
            """, """
            SELECT epoch, token FROM lockstep_fences WHERE thing_kind = ? AND thing_id = ?
            """) {
        @Override
        void bindName(PreparedStatement statement, int index, byte[] name) throws SQLException {
            statement.setBytes(index, name);
        }

        @Override
        boolean raise(PreparedStatement statement, Fence fence) throws SQLException {
            return statement.executeUpdate() == 1;
        }
    };

    public static final String NAME = "lockstep_fences";
    private static final int TWO_ROWS = 1242;

    /** Creates the table unless it is there. */
    public final String create;

    private final String raise;
    private final String seen;

    FenceTable(String create, String raise, String seen) {
        this.create = create.strip();
        this.raise = raise.strip();
        this.seen = seen.strip();
    }

    /** Remembers the fence's token, and returns whether it did: not when a later one was seen. */
    public final boolean raise(Connection connection, Fence fence) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(raise)) {
            bindThing(statement, fence);
            statement.setLong(3, fence.token().epoch());
            statement.setLong(4, fence.token().value());
            return raise(statement, fence);
        }
    }

    abstract boolean raise(PreparedStatement statement, Fence fence) throws SQLException;

    /** The token that was seen last. After a refusal its row is locked, so this doesn't wait. */
    public final Optional<FencingToken> seen(Connection connection, Fence fence) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(seen)) {
            bindThing(statement, fence);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.of(new FencingToken(row.getLong(1), row.getLong(2))) : Optional.empty();
            }
        }
    }

    private void bindThing(PreparedStatement statement, Fence fence) throws SQLException {
        bindName(statement, 1, fence.kindBytes());
        bindName(statement, 2, fence.idBytes());
    }

    abstract void bindName(PreparedStatement statement, int index, byte[] name) throws SQLException;

    public static FenceTable of(Connection connection) throws SQLException {
        return of(connection.getMetaData().getDatabaseProductName());
    }

    public static FenceTable of(String product) {
        return switch (product.toLowerCase(Locale.ROOT)) {
            case "mysql", "mariadb" -> MYSQL;
            case "postgresql" -> POSTGRESQL;
            default ->
                throw new InvalidRequestException("There is no fencing guard for the database '" + product
                        + "'. Use MySQL, MariaDB or PostgreSQL.");
        };
    }
}
