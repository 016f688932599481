package dev.lockstep.jdbc.provisioning;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockException;
import dev.lockstep.core.RetryPolicy;
import dev.lockstep.jdbc.sql.BorrowedConnection;
import dev.lockstep.jdbc.sql.SqlCall;
import dev.lockstep.jdbc.sql.SqlFault;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A borrowed connection on which provisioning runs in short transactions; closing restores and returns it. */
public final class ProvisioningSession implements AutoCloseable {
    private static final RetryPolicy RETRY = RetryPolicy.exponential(Duration.ofMillis(100), 2, Duration.ofSeconds(5))
            .withJitter(0.5)
            .withAttempts(6)
            .within(Duration.ofMinutes(5));

    private final BorrowedConnection borrowed;
    private final Connection connection;

    private ProvisioningSession(BorrowedConnection borrowed) throws SQLException {
        this.borrowed = borrowed;
        connection = borrowed.connection();
        requireServer(connection);
        borrowed.readCommitted(false);
    }

    public static ProvisioningSession open(DataSource dataSource) throws SQLException {
        BorrowedConnection borrowed = BorrowedConnection.from(dataSource);
        try {
            return new ProvisioningSession(borrowed);
        } catch (SQLException | RuntimeException e) {
            borrowed.close();
            throw e;
        }
    }

    private static void requireServer(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        String lower = product.toLowerCase(Locale.ROOT);
        if (!lower.contains("mysql") && !lower.contains("mariadb")) {
            throw new InvalidRequestException("Provisioning is for MySQL and MariaDB, and this is " + product
                    + ". The locks of PostgreSQL need no rows.");
        }
        @Nullable String database = connection.getCatalog();
        if (database == null || database.isEmpty()) {
            throw new InvalidRequestException(
                    "The connection is to no database. Name one in the JDBC URL, such as jdbc:mysql://host:3306/app.");
        }
    }

    public Connection connection() {
        return connection;
    }

    /** Runs a call in a separate transaction; retries if the server aborted it because of other transactions. */
    public <T> T inTransaction(SqlCall<T> call) throws SQLException {
        try {
            return RETRY.call(() -> once(call), ProvisioningSession::passes, LockClock.system());
        } catch (SQLException | RuntimeException e) {
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw interrupted(e);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private <T> T once(SqlCall<T> call) throws SQLException {
        try {
            T result = call.run();
            connection.commit();
            return result;
        } catch (SQLException | RuntimeException e) {
            rollback(e);
            throw e;
        }
    }

    private void rollback(Exception reason) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            reason.addSuppressed(e);
        }
    }

    private static boolean passes(Exception error) {
        return error instanceof SQLException sql
                && switch (SqlFault.of(sql)) {
                    case DEADLOCK, WAIT_TIMEOUT, BUSY -> true;
                    default -> false;
                };
    }

    /** Ends provisioning between two transactions when the thread was interrupted. */
    public static void requireNotInterrupted() {
        if (Thread.currentThread().isInterrupted()) {
            throw interrupted(null);
        }
    }

    private static LockException interrupted(@Nullable InterruptedException cause) {
        return new LockException(
                ErrorCode.INTERRUPTED,
                "Provisioning was interrupted. The rows made so far stay; run it again to make the others.",
                List.of(),
                cause);
    }

    /** What is done is committed by now, so trouble with the connection is no failure. */
    @Override
    public void close() {
        borrowed.close();
    }
}
