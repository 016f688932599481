package dev.lockstep.examples;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.examples.AccountKinds.USER;

import dev.lockstep.core.FencingToken;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.jdbc.FencingGuard;
import dev.lockstep.jdbc.StaleTokenException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A database refuses the write of a holder that was overtaken, in the transaction of the write itself. */
public final class FencedWrite {
    private static final LockKey REPORT = USER.key("u1");

    private FencedWrite() {}

    public static void main(String[] args) throws SQLException {
        @Nullable String url = DriverSource.urlOf("FencedWrite", args);
        if (url == null) {
            return;
        }
        DataSource dataSource = new DriverSource(url);
        prepare(dataSource);
        try (Locks locks = DatabaseLocks.on(DriverSource.product(url), dataSource)) {
            FencingToken old = write(locks, dataSource, "first");
            write(locks, dataSource, "second");
            writeLate(dataSource, old);
            System.out.println("in the table: " + text(dataSource));
        } finally {
            execute(dataSource, "DROP TABLE example_reports");
        }
    }

    private static FencingToken write(Locks locks, DataSource dataSource, String text) throws SQLException {
        // tag::fenced-write
        try (Lease lease = locks.acquire(exclusive(REPORT));
                Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            FencingGuard.on(connection).check("report", "u1", lease); // throws when a later holder has written
            save(connection, "u1", text);
            connection.commit();
            return lease.token();
        }
        // end::fenced-write
    }

    /** A holder that slept through the end of its lease has its token, and nothing else. */
    private static void writeLate(DataSource dataSource, FencingToken token) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            FencingGuard.on(connection).check("report", "u1", token);
            save(connection, "u1", "late");
            connection.commit();
        } catch (StaleTokenException e) {
            System.out.println("refused: " + e.getMessage());
        }
    }

    private static void prepare(DataSource dataSource) throws SQLException {
        // tag::fenced-table
        try (Connection connection = dataSource.getConnection()) { // in autocommit mode
            FencingGuard.createTable(connection); // does nothing if the table exists
        }
        // end::fenced-table
        execute(dataSource, "CREATE TABLE example_reports (id VARCHAR(20) PRIMARY KEY, text VARCHAR(20))");
        execute(dataSource, "INSERT INTO example_reports VALUES ('u1', '')");
    }

    private static void save(Connection connection, String id, String text) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE example_reports SET text = ? WHERE id = ?")) {
            update.setString(1, text);
            update.setString(2, id);
            update.executeUpdate();
        }
    }

    private static String text(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT text FROM example_reports")) {
            row.next();
            return row.getString(1);
        }
    }

    private static void execute(DataSource dataSource, String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
