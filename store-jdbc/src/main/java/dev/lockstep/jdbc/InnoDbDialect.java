package dev.lockstep.jdbc;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import dev.lockstep.jdbc.slots.RowTable;
import dev.lockstep.jdbc.slots.ServerLock;
import dev.lockstep.jdbc.slots.ShapedStatements;
import dev.lockstep.jdbc.sql.BorrowedConnection;
import dev.lockstep.jdbc.sql.ServerPreparation;
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
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Locks as rows of an InnoDB table. All are taken by one {@code UNION ALL} of locking selects, each an equality on the primary key: such
 * selects are run in the order in which they are written, which an {@code IN} list is not. The statement is prepared on the server where
 * that is possible, so that the server does not parse it again.
 */
abstract class InnoDbDialect implements Dialect {
    /** The tables are one namespace. */
    static final String NAMESPACE = "lockstep";

    static final String BRIEF = StatementTag.brief(NAMESPACE);

    /** The time at which the row was locked, not when the statement began. The sessions of the store are in UTC. */
    static final String STATE =
            "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', SYSDATE(6)), " + StandbySql.INNODB + ", CONNECTION_ID()";

    private static final String NO_STATE = "0, 0, 0";

    /** The same in any time zone: the time in UTC when the statement began and, at the end, how long ago that was. */
    private static final String STATE_IN_ANY_ZONE = "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)), "
            + StandbySql.INNODB + ", CONNECTION_ID(), TIMESTAMPDIFF(MICROSECOND, NOW(6), SYSDATE(6))";

    private static final String NO_STATE_IN_ANY_ZONE = "0, 0, 0, 0";

    /**
     * When the offset of the time zone changes in between, the last number is off by a multiple of this. It is never that long: the
     * statements that read the state do not wait.
     */
    private static final long OFFSET_STEP_MICROS = TimeUnit.MINUTES.toMicros(15);

    private static final int NO_SAVEPOINT = 1305;
    private static final int LARGEST_STATEMENT = 100;

    /**
     * The server, or a proxy before it, does not know how to prepare statements or this one, has no room for another one, or would have to
     * prepare it again and again. Some drivers prepare a statement only when it is executed.
     */
    private static final Set<Integer> NOT_PREPARED = Set.of(1047, 1295, 1461, 1615);

    /** An eighth of what servers have room for by default, for the statements of all of their clients. */
    private static final int MOST_PREPARED = 2_000;

    final RowTable rows;

    /** The room for statements of all sessions of the store that are prepared on the server. */
    final Semaphore room = new Semaphore(MOST_PREPARED);

    private final ShapedStatements statements = new ShapedStatements(this::union);
    private final ShapedStatements statementsInAnyZone = new ShapedStatements(this::unionInAnyZone);

    InnoDbDialect(RowTable rows) {
        this.rows = rows;
    }

    /** The end of a select that locks shared. */
    abstract String forShare();

    /** An expression that names the server. */
    abstract String serverName();

    /** The session variables that end idle sessions, in seconds. */
    abstract List<String> idleVariables();

    /** A locking select that ends after this many milliseconds, at least one. */
    abstract String limited(String select, long millis);

    @Override
    public LockSession open(BorrowedConnection borrowed, Duration idleLimit) throws SQLException {
        Connection connection = borrowed.readCommitted(false).connection();
        Duration limit = idleLimitFor(idleLimit);
        try (var statement = connection.createStatement()) {
            ServerSession server;
            List<String> restore;
            try (ResultSet row = statement.executeQuery(settings())) {
                row.next();
                refuseRollbackOnTimeout(row.getInt(2));
                restore = List.of(restore(row));
                server = new ServerSession(
                        row.getLong(1), row.getString(4), row.getString(5), SessionMarks.next(row.getString(3)));
            }
            // Waits end when the request says so, not earlier.
            statement.execute("SET SESSION innodb_lock_wait_timeout = 1073741824, time_zone = '+00:00', "
                    + idleness(limit) + ", @lockstep_session = '" + server.mark() + "'");
            connection.rollback();
            LockSession session = LockSession.on(borrowed, server, limit, restore);
            ServerPreparation.on(connection).ifPresent(preparation -> session.prepareOnServer(preparation, room));
            return session;
        }
    }

    private String settings() {
        return "SELECT CONNECTION_ID(), @@global.innodb_rollback_on_timeout, CAST(@lockstep_session AS CHAR), "
                + serverName()
                + ", CONCAT(VERSION(), ' ', @@global.version_comment), @@session.innodb_lock_wait_timeout, @@session.time_zone, @@session."
                + String.join(", @@session.", idleVariables());
    }

    private String restore(ResultSet row) throws SQLException {
        StringBuilder sql = new StringBuilder("SET SESSION innodb_lock_wait_timeout = ").append(row.getLong(6));
        sql.append(", time_zone = '").append(row.getString(7)).append("', @lockstep_session = NULL");
        int column = 8;
        for (String variable : idleVariables()) {
            sql.append(", ").append(variable).append(" = ").append(row.getLong(column++));
        }
        return sql.toString();
    }

    private String idleness(Duration limit) {
        return idleVariables().stream()
                .map(variable -> variable + " = " + limit.toSeconds())
                .collect(Collectors.joining(", "));
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
    public void checkForCaller(LockSession session) throws SQLException {
        try (ResultSet row = session.statement().executeQuery("SELECT @@global.innodb_rollback_on_timeout")) {
            row.next();
            refuseRollbackOnTimeout(row.getInt(1));
        }
    }

    /** A savepoint ends with its transaction. One of the same name replaces the earlier one and keeps all others. */
    @Override
    public void markForCaller(LockSession session) throws SQLException {
        session.statement().execute("SAVEPOINT lockstep_transaction");
    }

    /** A rollback to an earlier savepoint removes this one, too, and keeps the row locks: they only are not known any more. */
    @Override
    public Predicate<ServerLock> stillHeld(LockSession session) throws SQLException {
        try {
            session.statement().execute("RELEASE SAVEPOINT lockstep_transaction");
            markForCaller(session);
            return lock -> true;
        } catch (SQLException e) {
            if (e.getErrorCode() == NO_SAVEPOINT) {
                return lock -> false;
            }
            throw e;
        }
    }

    /** A savepoint can't be looked up, only released or rolled back to; both remove those that were set after it. */
    @Override
    public boolean stillHeldRemovesSavepoints() {
        return true;
    }

    @Override
    public Duration idleLimitFor(Duration term) {
        return Duration.ofSeconds(Math.max(1, term.plusNanos(999_999_999).toSeconds()));
    }

    @Override
    public void limitIdleness(LockSession session, Duration limit) throws SQLException {
        Duration seconds = idleLimitFor(limit);
        session.statement().execute("SET SESSION " + idleness(seconds));
        session.idleLimit = seconds;
        session.nextIdleLimit = seconds;
    }

    // ---- nested requests

    /** Rolling back to a savepoint keeps the row locks. */
    @Override
    public boolean releasesNested() {
        return false;
    }

    /** The savepoint of an earlier nested request or renewal serves this one, too. */
    @Override
    public void beginNested(LockSession session) throws SQLException {
        if (!session.hasSavepoint()) {
            proveTransaction(session);
        }
    }

    @Override
    public void keepNested(LockSession session, List<ServerLock> locks) {}

    @Override
    public void undoNested(LockSession session) throws SQLException {
        proveTransaction(session);
    }

    @Override
    public void releaseNested(LockSession session, List<ServerLock> locks) {}

    /**
     * Some errors, such as 1206 and 1213, roll back the whole transaction, and the next statement begins another one on the same
     * connection. A savepoint ends with its transaction. The rows must not be locked again instead: that would revive a lost lease.
     */
    @Override
    public void proveTransaction(LockSession session) throws SQLException {
        session.statement().execute((session.hasSavepoint() ? "ROLLBACK TO " : "") + "SAVEPOINT lockstep_lease");
        session.savepointSet();
    }

    // ---- locking

    /** The server's time for one statement grows faster than the number of its selects. */
    @Override
    public int largestStatement() {
        return LARGEST_STATEMENT;
    }

    @Override
    public Progress tryPart(LockSession session, List<ServerLock> locks) throws SQLException {
        try {
            return take(session, locks);
        } catch (SQLException e) {
            if (!isTaken(e)) {
                throw e;
            }
            return takeOneByOne(session, locks);
        }
    }

    final Progress take(LockSession session, List<ServerLock> locks) throws SQLException {
        try {
            return takePrepared(session, locks);
        } catch (SQLException e) {
            if (!NOT_PREPARED.contains(e.getErrorCode())) {
                throw e;
            }
            session.leavePreparationToDriver();
            return takePrepared(session, locks);
        }
    }

    /** Takes locks by one statement that can be prepared. */
    Progress takePrepared(LockSession session, List<ServerLock> locks) throws SQLException {
        PreparedStatement statement = bound(session, session.isCallers() ? statementsInAnyZone : statements, locks);
        try (ResultSet found = statement.executeQuery()) {
            int next = 0;
            for (; found.next() && found.getInt(1) == next; next++) {
                if (next == locks.size() - 1) {
                    return new Progress(-1, state(found, session));
                }
            }
            throw rows.missing(locks.get(next));
        }
    }

    PreparedStatement bound(LockSession session, ShapedStatements texts, List<ServerLock> locks) throws SQLException {
        PreparedStatement statement = session.prepared(texts.of(locks));
        int at = 1;
        for (ServerLock lock : locks) {
            at = rows.bind(lock, statement, at);
        }
        return statement;
    }

    private String union(String shape) {
        return union(shape, NO_STATE, STATE);
    }

    private String unionInAnyZone(String shape) {
        return union(shape, NO_STATE_IN_ANY_ZONE, STATE_IN_ANY_ZONE);
    }

    private String union(String shape, String noState, String state) {
        StringBuilder sql = new StringBuilder(120 * shape.length() + 200);
        int last = shape.length() - 1;
        for (int i = 0; i <= last; i++) {
            sql.append(i == 0 ? "(SELECT " + BRIEF : " UNION ALL (SELECT ")
                    .append(i)
                    .append(", ")
                    .append(i == last ? state : noState)
                    .append(" FROM ")
                    .append(rows.table())
                    .append(" WHERE ")
                    .append(rows.anyRow(""))
                    .append(shape.charAt(i) == 'X' ? " FOR UPDATE" : forShare())
                    .append(" NOWAIT)");
        }
        return sql.toString();
    }

    /** Which one was taken, the server doesn't say. */
    final Progress takeOneByOne(LockSession session, List<ServerLock> locks) throws SQLException {
        Progress progress = new Progress(-1, new ServerState(0, false, session.serverId));
        for (int i = 0; i < locks.size(); i++) {
            try {
                progress = take(session, List.of(locks.get(i)));
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
        return fault == SqlFault.BUSY || (fault == SqlFault.WAIT_TIMEOUT && error.getErrorCode() == 1205);
    }

    @Override
    public void await(LockSession session, ServerLock lock, Duration longest, String tag) throws SQLException {
        long millis = Math.max(1, Math.min(longest.plusNanos(999_999).toMillis(), Integer.MAX_VALUE));
        String select = "SELECT 0 FROM " + rows.table() + " WHERE " + rows.row(lock)
                + (lock.exclusive() ? " FOR UPDATE" : forShare());
        try (ResultSet found = session.statement().executeQuery(tag + limited(select, millis))) {
            if (!found.next()) {
                throw rows.missing(lock);
            }
        }
    }

    @Override
    public ServerState confirm(LockSession session, String tag) throws SQLException {
        try (ResultSet row = session.statement().executeQuery(tag + "SELECT 0, " + stateFor(session))) {
            row.next();
            return state(row, session);
        }
    }

    private static String stateFor(LockSession session) {
        return session.isCallers() ? STATE_IN_ANY_ZONE : STATE;
    }

    static ServerState state(ResultSet row, LockSession session) throws SQLException {
        long since = session.isCallers() ? Math.floorMod(row.getLong(5), OFFSET_STEP_MICROS) : 0;
        return new ServerState(row.getLong(2) + since, row.getInt(3) != 0, row.getLong(4));
    }

    // ---- looking

    static List<OtherSession> sessions(LockSession session, String sql) throws SQLException {
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
    public boolean isAlive(LockSession session, long serverId) throws SQLException {
        String sql = "SELECT 1 FROM information_schema.PROCESSLIST WHERE COMMAND <> 'Killed' AND ID = " + serverId;
        try (ResultSet row = session.statement().executeQuery(sql)) {
            return row.next();
        }
    }

    @Override
    public List<String> lastDeadlock(LockSession session, SQLException error) throws SQLException {
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
