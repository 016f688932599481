package dev.lockstep.jdbc;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Locks as rows of an InnoDB table. All are taken by one {@code UNION ALL} of locking selects, each an equality on the primary key: such
 * selects are run in the order in which they are written, which an {@code IN} list is not.
 */
abstract class InnoDbDialect implements Dialect {
    /** The clock as it is when the row is had, not when the statement began; in no time zone, so that it never jumps. */
    private static final String STATE = "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))"
            + " + TIMESTAMPDIFF(MICROSECOND, NOW(6), SYSDATE(6)), @@global.read_only, CONNECTION_ID()";

    final RowTable rows;

    InnoDbDialect(RowTable rows) {
        this.rows = rows;
    }

    /** The end of a select that locks shared. */
    abstract String forShare();

    /** The session variable that ends idle sessions, in seconds. */
    abstract String idleVariable();

    /** A locking select that ends after this many milliseconds, at least one. */
    abstract String limited(String select, long millis);

    @Override
    public Session open(Connection connection, Duration idleLimit) throws SQLException {
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        connection.setAutoCommit(false);
        Duration limit = idleLimitFor(idleLimit);
        String idle = idleVariable();
        try (var statement = connection.createStatement()) {
            long id;
            List<String> restore;
            try (ResultSet row = statement.executeQuery("SELECT CONNECTION_ID(), @@session.innodb_lock_wait_timeout,"
                    + " @@session." + idle + ", @@global.innodb_rollback_on_timeout")) {
                row.next();
                id = row.getLong(1);
                restore = List.of("SET SESSION innodb_lock_wait_timeout = " + row.getLong(2) + ", " + idle + " = "
                        + row.getLong(3));
                refuseRollbackOnTimeout(row.getInt(4));
            }
            // Waits end when the request says so, not earlier.
            statement.execute("SET SESSION innodb_lock_wait_timeout = 1073741824, " + idle + " = " + limit.toSeconds());
            connection.rollback();
            return new Session(connection, id, limit, restore);
        }
    }

    private static void refuseRollbackOnTimeout(int on) {
        if (on != 0) {
            throw new LockException(
                    ErrorCode.STORE_FAILED,
                    "The server runs with innodb_rollback_on_timeout=ON: a wait that times out would take locks away that are"
                            + " held. Start it with innodb_rollback_on_timeout=OFF, which is the default.",
                    List.of(),
                    null);
        }
    }

    @Override
    public void checkForCaller(Session session) throws SQLException {
        try (ResultSet row = session.statement().executeQuery("SELECT @@global.innodb_rollback_on_timeout")) {
            row.next();
            refuseRollbackOnTimeout(row.getInt(1));
        }
    }

    @Override
    public Duration idleLimitFor(Duration term) {
        return Duration.ofSeconds(Math.max(1, term.plusNanos(999_999_999).toSeconds()));
    }

    @Override
    public void limitIdleness(Session session, Duration limit) throws SQLException {
        Duration seconds = idleLimitFor(limit);
        session.statement().execute("SET SESSION " + idleVariable() + " = " + seconds.toSeconds());
        session.idleLimit = seconds;
        session.nextIdleLimit = seconds;
    }

    @Override
    public boolean hasSavepoints() {
        return false; // rolling back to one keeps the row locks
    }

    @Override
    public boolean labelsEverything() {
        return true;
    }

    // ---- locking

    @Override
    public Progress tryAll(Session session, List<ServerLock> locks, String label) throws SQLException {
        try {
            return take(session, locks, label);
        } catch (SQLException e) {
            if (!isTaken(e)) {
                throw e;
            }
            return takeOneByOne(session, locks, label);
        }
    }

    private Progress take(Session session, List<ServerLock> locks, String label) throws SQLException {
        StringBuilder sql = new StringBuilder(label.length() + 120 * locks.size() + 200);
        for (int i = 0; i < locks.size(); i++) {
            boolean last = i == locks.size() - 1;
            sql.append(i == 0 ? "(" : " UNION ALL (");
            String hint = i == 0 ? label : ""; // before the statement, drivers would read it to find out what follows
            append(hint, locks.get(i), i, last ? STATE : "0, 0, 0", sql).append(" NOWAIT)");
        }
        try (ResultSet found = session.statement().executeQuery(sql.toString())) {
            int next = 0;
            for (; found.next() && found.getInt(1) == next; next++) {
                if (next == locks.size() - 1) {
                    return new Progress(-1, state(found));
                }
            }
            throw rows.missing(locks.get(next));
        }
    }

    /** Which one was taken, the server doesn't say. */
    private Progress takeOneByOne(Session session, List<ServerLock> locks, String label) throws SQLException {
        Progress progress = new Progress(-1, new ServerState(0, false, session.serverId));
        for (int i = 0; i < locks.size(); i++) {
            try {
                progress = take(session, locks.subList(i, i + 1), label);
            } catch (SQLException e) {
                if (!isTaken(e)) {
                    throw e;
                }
                return new Progress(i, progress.state());
            }
        }
        return progress;
    }

    private static boolean isTaken(SQLException error) {
        SqlFault fault = SqlFault.of(error);
        return fault == SqlFault.BUSY || (fault == SqlFault.WAIT_OVER && error.getErrorCode() == 1205);
    }

    private StringBuilder append(String hint, ServerLock lock, int ordinal, String columns, StringBuilder sql) {
        return sql.append("SELECT ")
                .append(hint)
                .append(ordinal)
                .append(", ")
                .append(columns)
                .append(" FROM ")
                .append(rows.table())
                .append(" WHERE ")
                .append(rows.row(lock))
                .append(lock.exclusive() ? " FOR UPDATE" : forShare());
    }

    @Override
    public void await(Session session, ServerLock lock, Duration longest, String label) throws SQLException {
        long millis = Math.max(1, Math.min(longest.plusNanos(999_999).toMillis(), Integer.MAX_VALUE));
        String select = append("", lock, 0, "0, 0, 0", new StringBuilder()).toString();
        try (ResultSet found = session.statement().executeQuery(label + limited(select, millis))) {
            if (!found.next()) {
                throw rows.missing(lock);
            }
        }
    }

    @Override
    public ServerState confirm(Session session, String label) throws SQLException {
        try (ResultSet row = session.statement().executeQuery(label + "SELECT 0, " + STATE)) {
            row.next();
            return state(row);
        }
    }

    private static ServerState state(ResultSet row) throws SQLException {
        return new ServerState(row.getLong(2), row.getInt(3) != 0, row.getLong(4));
    }

    // ---- looking

    static List<OtherSession> sessions(Session session, String sql) throws SQLException {
        List<OtherSession> sessions = new ArrayList<>();
        try (ResultSet rows = session.statement().executeQuery(sql)) {
            while (rows.next()) {
                String text = rows.getString(2);
                sessions.add(new OtherSession(rows.getLong(1), text == null ? "" : text));
            }
        }
        return sessions;
    }

    @Override
    public boolean isAlive(Session session, long serverId) throws SQLException {
        String sql = "SELECT 1 FROM information_schema.PROCESSLIST WHERE COMMAND <> 'Killed' AND ID = " + serverId;
        try (ResultSet row = session.statement().executeQuery(sql)) {
            return row.next();
        }
    }

    @Override
    public List<String> lastDeadlock(Session session, SQLException error) throws SQLException {
        try (ResultSet row = session.statement().executeQuery("SHOW ENGINE INNODB STATUS")) {
            row.next();
            String status = row.getString(3);
            int start = status.indexOf("LATEST DETECTED DEADLOCK");
            int end = status.indexOf("\nTRANSACTIONS\n", Math.max(0, start));
            return start < 0 ? List.of() : statements(status.substring(start, end < 0 ? status.length() : end));
        }
    }

    private static List<String> statements(String report) {
        List<String> statements = new ArrayList<>();
        for (int at = report.indexOf("/*lockstep "); at >= 0; at = report.indexOf("/*lockstep ", at + 1)) {
            statements.add(report.substring(at));
        }
        return statements;
    }
}
