package dev.lockstep.benchmarks.provisioning;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * How large the lock rows of a MySQL database are, in bytes.
 *
 * @param file the table's file
 * @param pages the part of it that the index uses
 */
record TableSize(long file, long pages) {
    private static final String FILE = """
            SELECT FILE_SIZE FROM information_schema.INNODB_TABLESPACES
            WHERE NAME = CONCAT(DATABASE(), '/hier_lock_buckets')""";
    private static final String PAGES = """
            SELECT DATA_LENGTH + INDEX_LENGTH FROM information_schema.TABLES
            WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'hier_lock_buckets'""";

    /** Asks the server, and whether all the rows are there. */
    static TableSize of(DataSource dataSource, long rows) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            long found = number(statement, "SELECT COUNT(*) FROM hier_lock_buckets");
            if (found != rows) {
                throw new SQLException("there are " + found + " rows instead of " + rows);
            }
            statement.execute("SET SESSION information_schema_stats_expiry = 0");
            statement.execute("ANALYZE TABLE hier_lock_buckets");
            return new TableSize(number(statement, FILE), number(statement, PAGES));
        }
    }

    private static long number(Statement statement, String query) throws SQLException {
        try (ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }
}
