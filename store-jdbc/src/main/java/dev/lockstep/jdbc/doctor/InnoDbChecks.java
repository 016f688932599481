package dev.lockstep.jdbc.doctor;

import dev.lockstep.core.doctor.Facts;
import dev.lockstep.core.doctor.Finding;
import dev.lockstep.jdbc.sql.Queries;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The doctor's checks of a MySQL or MariaDB server, except those of the tables. */
public final class InnoDbChecks {
    private static final String COUNTS =
            "SHOW GLOBAL STATUS WHERE Variable_name IN ('Threads_connected', 'wsrep_cluster_size')";

    /** Longer than the clock's resolution. */
    private static final String TWO_TIMES = "SELECT SYSDATE(6), SLEEP(0.01), SYSDATE(6)";

    private final ServerProduct product;
    private final int connections;
    private final List<String> idleVariables;

    /** {@code idleVariables} are the session variables with which the store limits idle sessions. */
    public InnoDbChecks(ServerProduct product, int connections, List<String> idleVariables) {
        this.product = product;
        this.connections = connections;
        this.idleVariables = idleVariables;
    }

    public List<Check> all() {
        return List.of(
                new Check("server's settings", connection -> InnoDbRule.judge(facts(connection))),
                new Check("number of connections", this::connectionLimit),
                new Check("settings of a session", this::session),
                visibility(product),
                new Check("function SYSDATE", InnoDbChecks::sysdate));
    }

    /** Whether the locks of other processes can be seen. */
    public static Check visibility(ServerProduct product) {
        return new Check("visibility of locks", new VisibilityCheck(product)::examine);
    }

    private static Facts facts(Connection connection) throws SQLException {
        Map<String, String> values = new HashMap<>(Queries.pairs(connection, "SHOW GLOBAL VARIABLES"));
        values.putAll(Queries.pairs(connection, COUNTS));
        return new Facts(values);
    }

    private List<Finding> connectionLimit(Connection connection) throws SQLException {
        Facts facts = facts(connection);
        List<Finding> findings = new ArrayList<>();
        findings.add(ConnectionLimitRule.judge(
                "max_connections", facts.number("max_connections"), facts.number("threads_connected"), connections));
        long own = Queries.number(connection, "SELECT @@session.max_user_connections");
        if (own > 0) {
            findings.add(ConnectionLimitRule.judge(
                    "max_user_connections of this user", own, ownSessions(connection), connections));
        }
        return findings;
    }

    private static long ownSessions(Connection connection) throws SQLException {
        return Queries.number(connection, """
                SELECT COUNT(*) FROM information_schema.PROCESSLIST
                WHERE USER = SUBSTRING_INDEX(USER(), '@', 1)
                """);
    }

    /** Sets what the store sets, to what it is already. */
    private List<Finding> session(Connection connection) {
        List<String> settings = new ArrayList<>(idleVariables);
        settings.addAll(List.of("innodb_lock_wait_timeout", "time_zone"));
        String set = settings.stream()
                .map(name -> name + " = @@session." + name)
                .collect(Collectors.joining(", ", "SET SESSION ", ""));
        try {
            Queries.execute(connection, set);
            return List.of(Finding.ok("A session's limits can be set, so the server ends what a dead holder left."));
        } catch (SQLException e) {
            return List.of(Finding.error(
                    "The store can't set " + String.join(", ", settings) + " of its sessions: " + Finding.reason(e),
                    "Connect to the server itself, or allow these settings in what is between."));
        }
    }

    private static List<Finding> sysdate(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(TWO_TIMES)) {
            row.next();
            if (!row.getString(1).equals(row.getString(3))) {
                return List.of(
                        Finding.ok("SYSDATE shows the time of the call, so tokens rise in the order of the grants."));
            }
            return List.of(Finding.error(
                    "The server runs with sysdate-is-now: SYSDATE shows the time when a statement began, before it waited for a lock,"
                            + " so a later grant can get a lower token.",
                    "Start the server without sysdate-is-now."));
        }
    }
}
