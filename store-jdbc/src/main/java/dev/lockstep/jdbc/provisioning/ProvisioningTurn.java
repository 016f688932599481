package dev.lockstep.jdbc.provisioning;

import dev.lockstep.core.Deadline;
import dev.lockstep.core.LockClock;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A named lock of the server that lets one provisioning run at a time work in a database.
 *
 * <p>It only spares work. Rows are created in a way that is correct beside other runs, so a run that hangs is not waited for
 * forever, and servers without such locks do without.
 */
public final class ProvisioningTurn implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProvisioningTurn.class);

    /** Names of locks have 64 characters at most, and so have names of databases. */
    private static final String NAME = "CONCAT('lockstep-provisioning-', MD5(DATABASE()))";

    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final Connection connection;

    private ProvisioningTurn(Connection connection) {
        this.connection = connection;
    }

    /** Waits until no other run is in progress, and reports every second how long it has waited. */
    public static ProvisioningTurn await(Connection connection, Consumer<Duration> waiting) throws SQLException {
        Deadline end = Deadline.in(PATIENCE, LockClock.system());
        while (!take(connection)) {
            Duration waited = PATIENCE.minus(end.remaining());
            if (end.passed()) {
                LOG.warn("Another provisioning run is still under way after {}. Continuing beside it.", waited);
                break;
            }
            waiting.accept(waited);
            ProvisioningSession.requireNotInterrupted();
        }
        return new ProvisioningTurn(connection);
    }

    private static boolean take(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT GET_LOCK(" + NAME + ", 1)")) {
            return !row.next() || row.getInt(1) == 1 || row.wasNull();
        }
    }

    @Override
    public void close() {
        try (Statement statement = connection.createStatement()) {
            statement.execute("DO RELEASE_LOCK(" + NAME + ")");
        } catch (SQLException e) {
            LOG.warn("The turn could not be given up; it ends with the connection", e);
        }
    }
}
