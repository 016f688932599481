package dev.lockstep.jdbc.doctor;

import dev.lockstep.core.doctor.Finding;
import dev.lockstep.jdbc.sql.Queries;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Checks whether MySQL or MariaDB shows holders and waiters to this user. */
public final class VisibilityCheck {
    private static final String CONSUMER =
            "SELECT ENABLED FROM performance_schema.setup_consumers WHERE NAME = 'events_statements_current'";

    private final ServerProduct product;

    VisibilityCheck(ServerProduct product) {
        this.product = product;
    }

    public List<Finding> examine(Connection connection) throws SQLException {
        List<Finding> findings = new ArrayList<>();
        if (Queries.number(connection, "SELECT @@global.performance_schema") == 0) {
            findings.add(partial(
                    "performance_schema is OFF: of what other processes hold, the owner can't be named.",
                    "Start the server with performance_schema=ON"
                            + " and performance-schema-consumer-events-statements-current=ON."));
        } else if (isReadable(connection, "performance_schema.threads", "SELECT ON performance_schema.*", findings)) {
            consumer(connection, findings);
        }
        if (product == ServerProduct.MARIADB) {
            isReadable(connection, "information_schema.INNODB_TRX", "PROCESS ON *.*", findings);
        } else {
            isReadable(connection, "performance_schema.data_locks", "SELECT ON performance_schema.*", findings);
        }
        try {
            Queries.execute(connection, "SHOW ENGINE INNODB STATUS");
        } catch (SQLException e) {
            findings.add(partial(
                    "Reports of deadlocks can't name the others: " + Finding.reason(e), grant("PROCESS ON *.*")));
        }
        return findings.isEmpty() ? List.of(Finding.ok("Who holds and who waits can be seen.")) : findings;
    }

    /** MariaDB leaves it off even when the performance schema is on. */
    private static void consumer(Connection connection, List<Finding> findings) throws SQLException {
        boolean readable = isReadable(
                connection, "performance_schema.events_statements_current", "SELECT ON performance_schema.*", findings);
        if (readable && Queries.text(connection, CONSUMER).equals("NO")) {
            findings.add(partial(
                    "The server doesn't keep the current statements: of what other processes hold, the owner can't be named.",
                    "Start the server with performance-schema-consumer-events-statements-current=ON."));
        }
    }

    private static boolean isReadable(Connection connection, String table, String privilege, List<Finding> findings) {
        try {
            Queries.execute(connection, "SELECT 1 FROM " + table + " LIMIT 1");
            return true;
        } catch (SQLException e) {
            findings.add(partial(table + " can't be read: " + Finding.reason(e), grant(privilege)));
            return false;
        }
    }

    private static String grant(String privilege) {
        return "GRANT " + privilege + " to the user.";
    }

    private static Finding partial(String why, String wayOut) {
        return Finding.warning("Lock visibility is partial. " + why, wayOut + " Locks work without it.");
    }
}
