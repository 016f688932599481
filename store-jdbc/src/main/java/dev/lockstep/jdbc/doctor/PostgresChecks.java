package dev.lockstep.jdbc.doctor;

import dev.lockstep.core.doctor.Facts;
import dev.lockstep.core.doctor.Finding;
import dev.lockstep.jdbc.sql.Queries;
import java.lang.reflect.InvocationTargetException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.OptionalLong;

/** The doctor's checks of a PostgreSQL server. */
public final class PostgresChecks {
    private static final String FACTS = """
            SELECT name, setting FROM pg_settings
            UNION ALL SELECT 'in_recovery', pg_is_in_recovery()::text
            UNION ALL SELECT 'is_superuser', current_setting('is_superuser')
            UNION ALL SELECT 'sees_all', pg_has_role(current_user, 'pg_read_all_stats', 'USAGE')::text
            UNION ALL SELECT 'role_limit', rolconnlimit::text FROM pg_roles WHERE rolname = current_user
            UNION ALL SELECT 'database_limit', datconnlimit::text FROM pg_database WHERE datname = current_database()
            UNION ALL
            SELECT counts.name, counts.number::text
              FROM (SELECT count(*) AS used,
                           count(*) FILTER (WHERE usename = current_user) AS role,
                           count(*) FILTER (WHERE datname = current_database()) AS database
                      FROM pg_stat_activity WHERE backend_type = 'client backend') AS sessions,
                   LATERAL (VALUES ('used_connections', sessions.used),
                                   ('role_connections', sessions.role),
                                   ('database_connections', sessions.database)) AS counts (name, number)
            """;

    /** Sets what the store sets, to what it is already, and only for this statement. */
    private static final String SESSION = """
            SELECT set_config(name, current_setting(name), true)
              FROM unnest(ARRAY['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']) AS name
            """;

    private static final String DRIVER_TYPE = "org.postgresql.PGConnection";

    private final int connections;

    public PostgresChecks(int connections) {
        this.connections = connections;
    }

    public List<Check> all() {
        return List.of(
                new Check("server's settings", this::settings),
                new Check("settings of a session", PostgresChecks::session),
                new Check("way to the server", PostgresChecks::pooler));
    }

    /** Whether the locks of other processes can be seen. */
    public static Check visibility() {
        return new Check(
                "visibility of locks",
                connection -> PostgresRule.judgeVisibility(new Facts(Queries.pairs(connection, FACTS))));
    }

    private List<Finding> settings(Connection connection) throws SQLException {
        return PostgresRule.judge(new Facts(Queries.pairs(connection, FACTS)), connections);
    }

    private static List<Finding> session(Connection connection) {
        try {
            Queries.execute(connection, SESSION);
            return List.of(Finding.ok("A session's limits can be set, so the server ends what a dead holder left."));
        } catch (SQLException e) {
            return List.of(Finding.error(
                    "The store can't set the timeouts of its sessions: " + Finding.reason(e),
                    "Connect to the server itself, or allow these settings in what is between."));
        }
    }

    /** A pooler such as PgBouncer reports another process to the driver than the one that executes statements. */
    private static List<Finding> pooler(Connection connection) throws SQLException {
        OptionalLong reported = reportedProcess(connection);
        long real = Queries.number(connection, "SELECT pg_backend_pid()");
        if (reported.isEmpty() || reported.getAsLong() == real) {
            return List.of(Finding.ok(
                    reported.isEmpty() ? "Whether a pooler is between is unknown." : "No pooler is between."));
        }
        return List.of(Finding.warning(
                "A pooler such as PgBouncer is between: the process that answers is not the one that was reported to the driver.",
                "Let it pool sessions (pool_mode = session) for the store, or connect to the server itself: the store's settings of a"
                        + " session would reach others, and cancelling a wait may not."));
    }

    /** Empty with other drivers, and below pools that don't unwrap. */
    private static OptionalLong reportedProcess(Connection connection) {
        try {
            Class<?> type = Class.forName(DRIVER_TYPE, false, loader());
            Object driver = connection.unwrap(type);
            Object process = type.getMethod("getBackendPID").invoke(driver);
            return process instanceof Integer number ? OptionalLong.of(number) : OptionalLong.empty();
        } catch (ClassNotFoundException
                | SQLException
                | NoSuchMethodException
                | IllegalAccessException
                | InvocationTargetException e) {
            return OptionalLong.empty();
        }
    }

    private static ClassLoader loader() {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        return context == null ? ClassLoader.getSystemClassLoader() : context;
    }
}
