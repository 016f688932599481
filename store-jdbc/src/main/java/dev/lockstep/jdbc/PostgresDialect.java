package dev.lockstep.jdbc;

import dev.lockstep.core.spi.StoreTrait;
import dev.lockstep.jdbc.slots.ServerLock;
import dev.lockstep.jdbc.slots.ShapedStatements;
import dev.lockstep.jdbc.sql.BorrowedConnection;
import dev.lockstep.jdbc.sql.ServerSession;
import dev.lockstep.jdbc.sql.SessionMarks;
import dev.lockstep.jdbc.sql.SqlFault;
import dev.lockstep.jdbc.sql.StandbySql;
import dev.lockstep.jdbc.sql.StatementTag;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** PostgreSQL: locks are advisory locks of the transaction; there is no table. */
final class PostgresDialect implements Dialect {
    private static final String STATE = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint, "
            + StandbySql.POSTGRESQL + ", pg_backend_pid()";
    private static final List<String> SETTINGS = List.of(
            "statement_timeout",
            "lock_timeout",
            "idle_in_transaction_session_timeout",
            "idle_session_timeout",
            "transaction_timeout");

    /** A number: the text of a time depends on settings of the session. */
    private static final String SERVER_NAME = "(extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint";

    private static final String CURRENT_SETTINGS =
            "SELECT pg_backend_pid(), " + SERVER_NAME + ", current_setting('lockstep.session', true), name, setting"
                    + " FROM pg_settings WHERE name IN ("
                    + SETTINGS.stream().map(name -> "'" + name + "'").collect(Collectors.joining(", ")) + ")";
    private static final Pattern PROCESS = Pattern.compile("Process (\\d+) waits");
    private static final int LARGEST_STATEMENT = 500;

    private static final String SESSIONS = """
            SELECT DISTINCT activity.pid, activity.query
              FROM pg_locks locks JOIN pg_stat_activity activity ON activity.pid = locks.pid
             WHERE locks.locktype = 'advisory' AND locks.objsubid = 1
               AND locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())
            """;

    private static final String OWN_LOCKS = """
            SELECT (classid::bigint << 32) | objid::bigint FROM pg_locks
             WHERE locktype = 'advisory' AND objsubid = 1 AND granted AND pid = pg_backend_pid()
            """;

    private final String brief;
    private final ShapedStatements statements = new ShapedStatements(this::tryInOrder);

    PostgresDialect(String namespace) {
        brief = StatementTag.brief(namespace);
    }

    @Override
    public String name() {
        return "postgresql";
    }

    @Override
    public Set<StoreTrait> traits() {
        return Set.of(StoreTrait.TWO_MODES, StoreTrait.FALSE_CONTENTION, StoreTrait.UNFAIR, StoreTrait.BLOCKING_WAITS);
    }

    // ---- sessions

    @Override
    public LockSession open(BorrowedConnection borrowed, Duration idleLimit) throws SQLException {
        Connection connection = borrowed.readCommitted(false).connection();
        List<String> restore = new ArrayList<>();
        try (var statement = connection.createStatement()) {
            ServerSession server = ServerSession.OF_CALLER;
            try (ResultSet row = statement.executeQuery(CURRENT_SETTINGS)) {
                while (row.next()) {
                    server = new ServerSession(
                            row.getLong(1), row.getString(2), "", SessionMarks.next(row.getString(3)));
                    restore.add("SET SESSION " + row.getString(4) + " = " + row.getLong(5));
                }
            }
            for (String sql : restore) {
                statement.execute(sql.substring(0, sql.indexOf('=')) + "= 0");
            }
            statement.execute("SET SESSION idle_in_transaction_session_timeout = " + millis(idleLimit));
            statement.execute("SET SESSION lockstep.session = '" + server.mark() + "'");
            connection.commit();
            restore.add("SET SESSION lockstep.session = ''");
            restore.add("SELECT pg_advisory_unlock_all()"); // a rollback does not release locks of the session
            restore.add("COMMIT");
            return LockSession.on(borrowed, server, idleLimitFor(idleLimit), restore);
        }
    }

    private static long millis(Duration duration) {
        return Math.max(1, Math.min(duration.plusNanos(999_999).toMillis(), Integer.MAX_VALUE));
    }

    @Override
    public Duration idleLimitFor(Duration term) {
        return Duration.ofMillis(millis(term));
    }

    @Override
    public Duration keptFor(LockSession session) {
        return SessionPool.LAST_KEPT;
    }

    @Override
    public void limitIdleness(LockSession session, Duration limit) throws SQLException {
        Duration exact = idleLimitFor(limit);
        String sql = "idle_in_transaction_session_timeout = " + millis(limit);
        if (session.grants.isEmpty()) {
            session.statement().execute("SET SESSION " + sql);
            session.connection.commit(); // a rollback would take the setting back
            session.nextIdleLimit = exact;
        } else {
            session.statement().execute("SET LOCAL " + sql);
        }
        session.idleLimit = exact;
    }

    // ---- nested requests

    /*
     * A nested request runs in a subtransaction, so that an error or a timeout does not fail the transaction of the outer lease. Once
     * it has all its locks, the session takes them over and the subtransaction ends. Locks of the session can be released one by
     * one and in any order, and nothing that is set later, such as the limit on idleness, is inside a savepoint. They end with the
     * session at the latest, and so with the transaction: the server ends a session that is idle in it for too long.
     */

    private static final String END_NESTED = "ROLLBACK TO SAVEPOINT lockstep_nested; RELEASE SAVEPOINT lockstep_nested";

    @Override
    public boolean releasesNested() {
        return true;
    }

    @Override
    public void beginNested(LockSession session) throws SQLException {
        session.statement().execute("SAVEPOINT lockstep_nested");
    }

    @Override
    public void keepNested(LockSession session, List<ServerLock> locks) throws SQLException {
        session.statement().execute(forEach("pg_advisory_lock", locks) + END_NESTED);
    }

    @Override
    public void undoNested(LockSession session) throws SQLException {
        session.statement().execute(END_NESTED);
    }

    @Override
    public void releaseNested(LockSession session, List<ServerLock> locks) throws SQLException {
        session.statement().execute(forEach("pg_advisory_unlock", locks));
    }

    /** Calls a function for each lock; for shared ones, its variant. */
    private static String forEach(String function, List<ServerLock> locks) {
        return forEach(function, locks, true) + forEach(function + "_shared", locks, false);
    }

    private static String forEach(String function, List<ServerLock> locks, boolean exclusive) {
        String slots = locks.stream()
                .filter(lock -> lock.exclusive() == exclusive)
                .map(lock -> String.valueOf(lock.slot()))
                .collect(Collectors.joining(","));
        return slots.isEmpty()
                ? ""
                : "SELECT " + function + "(slot) FROM unnest('{" + slots + "}'::bigint[]) AS slot; ";
    }

    /** A transaction that failed accepts no other statement, so that a ping proves it. */
    @Override
    public void proveTransaction(LockSession session) {}

    @Override
    public void markForCaller(LockSession session) {}

    @Override
    public Predicate<ServerLock> stillHeld(LockSession session) throws SQLException {
        Set<Long> held = new HashSet<>();
        try (ResultSet row = session.statement().executeQuery(OWN_LOCKS)) {
            while (row.next()) {
                held.add(row.getLong(1));
            }
        }
        return lock -> held.contains(lock.slot());
    }

    // ---- locking

    @Override
    public int largestStatement() {
        return LARGEST_STATEMENT;
    }

    @Override
    public Progress tryPart(LockSession session, List<ServerLock> locks) throws SQLException {
        PreparedStatement statement = session.prepared(statements.of(locks));
        for (int i = 0; i < locks.size(); i++) {
            statement.setLong(i + 1, locks.get(i).slot());
        }
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            return new Progress(row.getInt(1), state(row));
        }
    }

    /** A CASE tries its conditions in order and stops at the first that is true: here, at the first lock that is taken. */
    private String tryInOrder(String shape) {
        StringBuilder sql = new StringBuilder(brief).append("SELECT CASE");
        for (int i = 0; i < shape.length(); i++) {
            sql.append(" WHEN NOT pg_try_advisory_xact_lock");
            sql.append(shape.charAt(i) == 'X' ? "(?)" : "_shared(?)");
            sql.append(" THEN ").append(i);
        }
        return sql.append(" ELSE -1 END, ").append(STATE).toString();
    }

    @Override
    public void await(LockSession session, ServerLock lock, Duration longest, String tag) throws SQLException {
        String take = "pg_advisory_xact_lock" + (lock.exclusive() ? "" : "_shared") + "(" + lock.slot() + ")";
        // statement_timeout bounds the whole statement, lock_timeout each lock. A timeout fails the transaction up to
        // the savepoint.
        String timeout = session.isCallers() ? statementTimeout(session) : "0";
        session.statement().execute("SAVEPOINT lockstep_wait");
        try {
            session.statement()
                    .execute("SET LOCAL statement_timeout = " + millis(longest) + "; " + tag + "SELECT " + take);
            session.statement()
                    .execute("SET LOCAL statement_timeout = " + timeout + "; RELEASE SAVEPOINT lockstep_wait");
        } catch (SQLException e) {
            session.stopCancelling();
            if (SqlFault.of(e) != SqlFault.CONNECTION_LOST) {
                session.statement().execute("ROLLBACK TO SAVEPOINT lockstep_wait; RELEASE SAVEPOINT lockstep_wait");
            }
            throw e;
        }
    }

    private static String statementTimeout(LockSession session) throws SQLException {
        String sql = "SELECT setting FROM pg_settings WHERE name = 'statement_timeout'"; // in milliseconds
        try (ResultSet row = session.statement().executeQuery(sql)) {
            row.next();
            return String.valueOf(row.getLong(1));
        }
    }

    @Override
    public ServerState confirm(LockSession session, String tag) throws SQLException {
        if (tag.isEmpty()) {
            try (ResultSet row = session.prepared(brief + "SELECT 0, " + STATE).executeQuery()) {
                row.next();
                return state(row);
            }
        }
        try (ResultSet row = session.statement().executeQuery(tag + "SELECT 0, " + STATE)) {
            row.next();
            return state(row);
        }
    }

    private static ServerState state(ResultSet row) throws SQLException {
        return new ServerState(row.getLong(2), row.getBoolean(3), row.getLong(4));
    }

    // ---- looking: each statement begins with the preface, or other processes no longer see the kinds

    @Override
    public List<OtherSession> otherSessions(LockSession session) throws SQLException {
        List<OtherSession> sessions = new ArrayList<>();
        try (ResultSet row = session.statement().executeQuery(session.preface + SESSIONS)) {
            while (row.next()) {
                String query = row.getString(2);
                sessions.add(new OtherSession(row.getLong(1), query == null ? "" : query.strip()));
            }
        }
        return sessions;
    }

    @Override
    public boolean isAlive(LockSession session, long serverId) throws SQLException {
        String sql = session.preface + "SELECT 1 FROM pg_stat_activity WHERE pid = " + serverId;
        try (ResultSet row = session.statement().executeQuery(sql)) {
            return row.next();
        }
    }

    /** The error names the processes in the cycle; those that the server did not cancel still wait for what the failed one holds. */
    @Override
    public List<String> lastDeadlock(LockSession session, SQLException error) throws SQLException {
        List<String> processes = new ArrayList<>();
        Matcher process = PROCESS.matcher(String.valueOf(error.getMessage()));
        while (process.find()) {
            processes.add(process.group(1));
        }
        if (processes.isEmpty()) {
            return List.of();
        }
        List<String> found = new ArrayList<>();
        try (ResultSet row = session.statement()
                .executeQuery(session.preface + "SELECT query FROM pg_stat_activity WHERE pid IN ("
                        + String.join(", ", processes) + ")")) {
            while (row.next()) {
                found.add(row.getString(1));
            }
        }
        return found;
    }
}
