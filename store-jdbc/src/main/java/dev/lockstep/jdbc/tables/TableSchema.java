package dev.lockstep.jdbc.tables;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;

/** The tables that row locks on MySQL and MariaDB live on. */
public enum TableSchema {
    /** The layout, the number of buckets and the hash: what every process must agree on. */
    SETTINGS("hier_lock_settings", """
            CREATE TABLE IF NOT EXISTS hier_lock_settings (
              name VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
              value VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
              PRIMARY KEY (name)
            ) ENGINE = InnoDB"""),

    /** The kinds and the level of rows that each uses; filled says that all rows of the level were there once. */
    KINDS("hier_lock_kinds", """
            CREATE TABLE IF NOT EXISTS hier_lock_kinds (
              prefix VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
              lock_rank INT NOT NULL,
              parent VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
              depth INT NOT NULL,
              level TINYINT NOT NULL,
              leaf BOOLEAN NOT NULL,
              filled BOOLEAN NOT NULL,
              PRIMARY KEY (prefix),
              UNIQUE KEY hier_lock_kinds_rank (lock_rank),
              UNIQUE KEY hier_lock_kinds_level (level)
            ) ENGINE = InnoDB"""),

    /** The rows of {@link Layout#BUCKETS}. */
    BUCKETS("hier_lock_buckets", """
            CREATE TABLE IF NOT EXISTS hier_lock_buckets (
              level TINYINT NOT NULL,
              bucket INT NOT NULL,
              PRIMARY KEY (level, bucket)
            ) ENGINE = InnoDB"""),

    /** The rows of {@link Layout#IDS}; a key is the UTF-8 form of its text. */
    IDS("hier_locks", """
            CREATE TABLE IF NOT EXISTS hier_locks (
              lock_key VARBINARY(3072) NOT NULL,
              PRIMARY KEY (lock_key)
            ) ENGINE = InnoDB ROW_FORMAT = DYNAMIC""");

    /** How many bytes of a key's text fit into {@link #IDS}: the longest that InnoDB can index. */
    public static final int KEY_BYTES = 3072;

    private final String sqlName;
    private final String ddl;

    TableSchema(String sqlName, String ddl) {
        this.sqlName = sqlName;
        this.ddl = ddl;
    }

    public String sqlName() {
        return sqlName;
    }

    public String ddl() {
        return ddl;
    }

    /** Creates those of some tables that aren't there; needs no right to create when all are. */
    public static void create(Connection connection, TableSchema... tables) throws SQLException {
        Map<String, String> engines = engines(connection);
        try (Statement statement = connection.createStatement()) {
            for (TableSchema table : tables) {
                if (!engines.containsKey(table.sqlName)) {
                    statement.execute(table.ddl);
                }
            }
        }
    }

    /** The storage engines of those tables that are in the connection's database, by table name. */
    public static Map<String, String> engines(Connection connection) throws SQLException {
        String query = """
                SELECT table_name, engine
                FROM information_schema.tables
                WHERE table_schema = DATABASE()
                  AND table_name IN ('hier_lock_settings', 'hier_lock_kinds', 'hier_lock_buckets', 'hier_locks')""";
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            Map<String, String> engines = new LinkedHashMap<>();
            while (row.next()) {
                engines.put(row.getString(1), String.valueOf(row.getString(2)));
            }
            return engines;
        }
    }
}
