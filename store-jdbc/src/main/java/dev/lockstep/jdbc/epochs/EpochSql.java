package dev.lockstep.jdbc.epochs;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.spi.Epoch;
import dev.lockstep.jdbc.sql.Queries;
import dev.lockstep.jdbc.sql.StandbySql;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.Locale;

/**
 * The table of epochs and its statements. A change counts itself in {@code changes}, so that the number of changed rows means the same
 * whatever the driver's settings. Texts are compared by their bytes.
 */
public enum EpochSql {
    /** MySQL and MariaDB. Texts go as hexadecimal digits, whatever the character set and the sql_mode. */
    MYSQL("""
            CREATE TABLE IF NOT EXISTS lockstep_epochs (
              name VARBINARY(256) NOT NULL,
              number BIGINT NOT NULL,
              side VARCHAR(9) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
              is_open BOOLEAN NOT NULL,
              objections BIGINT NOT NULL,
              terms VARBINARY(1000) NOT NULL,
              changes BIGINT NOT NULL,
              PRIMARY KEY (name)
            ) ENGINE = InnoDB
            """, """
            INSERT INTO lockstep_epochs (name, number, side, is_open, objections, terms, changes)
            VALUES (UNHEX(?), UNIX_TIMESTAMP(), 'PRIMARY', FALSE, 0, '', 0)
            ON DUPLICATE KEY UPDATE changes = changes
            """, StandbySql.INNODB, "UNHEX(?)") {
        @Override
        void bind(PreparedStatement statement, int index, String text) throws SQLException {
            statement.setString(index, HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8)));
        }

        @Override
        String literal(String text) {
            return "'" + HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8)) + "'";
        }

        @Override
        boolean replace(Connection connection, String name, Epoch expected, Epoch next) throws SQLException {
            return update(connection, name, expected, next);
        }
    },

    /** PostgreSQL, on which a commit may be reported before it is durable, unless the transaction says otherwise. */
    POSTGRESQL("""
            CREATE TABLE IF NOT EXISTS lockstep_epochs (
              name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
              number BIGINT NOT NULL,
              side TEXT COLLATE "C" NOT NULL,
              is_open BOOLEAN NOT NULL,
              objections BIGINT NOT NULL,
              terms TEXT COLLATE "C" NOT NULL,
              changes BIGINT NOT NULL
            )
            """, """
            INSERT INTO lockstep_epochs (name, number, side, is_open, objections, terms, changes)
            VALUES (?, floor(extract(epoch FROM clock_timestamp()))::bigint, 'PRIMARY', FALSE, 0, '', 0)
            ON CONFLICT (name) DO NOTHING
            """, StandbySql.POSTGRESQL + " OR current_setting('transaction_read_only')::boolean", "?") {
        /** Leaves alone what lasts even longer. */
        private static final String LASTING = "SELECT CASE WHEN current_setting('synchronous_commit')"
                + " IN ('off', 'local', 'remote_write') THEN set_config('synchronous_commit', 'on', true) END";

        @Override
        void bind(PreparedStatement statement, int index, String text) throws SQLException {
            statement.setString(index, text);
        }

        @Override
        String literal(String text) {
            return "'" + text.replace("'", "''") + "'";
        }

        @Override
        boolean replace(Connection connection, String name, Epoch expected, Epoch next) throws SQLException {
            connection.setAutoCommit(false);
            Queries.execute(connection, LASTING);
            boolean replaced = update(connection, name, expected, next);
            connection.commit();
            connection.setAutoCommit(true);
            return replaced;
        }
    };

    public static final String TABLE = "lockstep_epochs";

    /** Creates the table unless it is there. */
    public final String create;

    private final String insert;
    private final String standby;
    private final String read;
    private final String touch;
    private final String replace;

    EpochSql(String create, String insert, String standby, String text) { // standby: a condition
        this.create = create.strip();
        this.insert = insert.strip();
        this.standby = "(SELECT " + standby + " AS is_standby)";
        read = "SELECT is_standby, number, side, is_open, objections, terms FROM " + this.standby
                + " server LEFT JOIN lockstep_epochs ON name = " + text;
        touch = "UPDATE lockstep_epochs SET number = number, side = side, is_open = is_open, objections = objections,"
                + " terms = terms, changes = changes WHERE name = " + text;
        replace = "UPDATE lockstep_epochs SET number = ?, side = ?, is_open = ?, objections = ?, terms = " + text
                + ", changes = changes + 1 WHERE name = " + text
                + " AND number = ? AND side = ? AND is_open = ? AND objections = ? AND terms = " + text;
    }

    public static EpochSql of(Connection connection) throws SQLException {
        return of(connection.getMetaData().getDatabaseProductName());
    }

    public static EpochSql of(String product) {
        return switch (product.toLowerCase(Locale.ROOT)) {
            case "mysql", "mariadb" -> MYSQL;
            case "postgresql" -> POSTGRESQL;
            default ->
                throw new InvalidRequestException("There is no table of epochs for the database '" + product
                        + "'. Use MySQL, MariaDB or PostgreSQL.");
        };
    }

    abstract void bind(PreparedStatement statement, int index, String text) throws SQLException;

    abstract String literal(String text);

    /** The complete statement that creates the row of a pair. */
    public String insert(String name) {
        return insert.replace("?", literal(name));
    }

    public void insert(Connection connection, String name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(insert)) {
            bind(statement, 1, name);
            statement.executeUpdate();
        }
    }

    /** Whether the server takes no writes, as a replica. */
    public boolean isStandby(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT is_standby FROM " + standby + " server")) {
            row.next();
            return row.getBoolean(1);
        }
    }

    public EpochRow read(Connection connection, String name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(read)) {
            bind(statement, 1, name);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return EpochRow.of(row);
            }
        }
    }

    /** Updates the row without a change, which proves the privilege to change it. */
    void touch(Connection connection, String name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(touch)) {
            bind(statement, 1, name);
            statement.executeUpdate();
        }
    }

    /** Replaces the epoch if it is the expected one, for good. */
    abstract boolean replace(Connection connection, String name, Epoch expected, Epoch next) throws SQLException;

    final boolean update(Connection connection, String name, Epoch expected, Epoch next) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(replace)) {
            bindEpoch(statement, 1, next);
            bind(statement, 6, name);
            bindEpoch(statement, 7, expected);
            return statement.executeUpdate() == 1;
        }
    }

    private void bindEpoch(PreparedStatement statement, int first, Epoch epoch) throws SQLException {
        statement.setLong(first, epoch.number());
        statement.setString(first + 1, epoch.side().name());
        statement.setBoolean(first + 2, epoch.open());
        statement.setLong(first + 3, epoch.objections());
        bind(statement, first + 4, epoch.terms());
    }
}
