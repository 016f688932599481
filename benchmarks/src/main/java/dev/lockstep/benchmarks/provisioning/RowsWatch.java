package dev.lockstep.benchmarks.provisioning;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/** Shows how many rows a long statement of MySQL has made so far, which it doesn't report. */
final class RowsWatch implements AutoCloseable {
    private static final int EVERY_SECONDS = 5;
    private static final String QUERY = "SELECT COALESCE(MAX(trx_rows_modified), 0) FROM information_schema.INNODB_TRX";

    private final Connection connection;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    private RowsWatch(Connection connection) {
        this.connection = connection;
    }

    static RowsWatch on(DataSource dataSource) throws SQLException {
        return new RowsWatch(dataSource.getConnection());
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a failure shows no more progress, and that is all
    void start() {
        timer.scheduleAtFixedRate(this::show, EVERY_SECONDS, EVERY_SECONDS, TimeUnit.SECONDS);
    }

    private void show() {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(QUERY)) {
            row.next();
            System.err.printf("  cross join: %,d rows of this level%n", row.getLong(1));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws SQLException {
        timer.shutdownNow();
        connection.close();
    }
}
