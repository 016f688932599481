package dev.lockstep.jdbc;

import dev.lockstep.core.LockException;
import dev.lockstep.core.spi.StoreTrait;
import dev.lockstep.jdbc.slots.RowTable;
import dev.lockstep.jdbc.slots.ServerLock;
import dev.lockstep.jdbc.slots.ShapedStatements;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * MySQL 8. Where the server locks the rows of a join in order, a join of the lock table with itself takes the place of the
 * {@code UNION ALL}: it costs the server less.
 */
final class MySqlDialect extends InnoDbDialect {
    private static final Logger LOG = LoggerFactory.getLogger(MySqlDialect.class);
    private static final int MOST_TABLES = 61;
    private static final int MOST_CHECKS = 5;

    /** The servers on which {@code JoinOrderTest} has shown the order. On others it is checked in the background. */
    private static final Set<String> KNOWN = Set.of("8.0.33 MySQL Community Server - GPL");

    private static final String SESSIONS = """
            SELECT DISTINCT threads.PROCESSLIST_ID, COALESCE(statements.SQL_TEXT, '%s')
              FROM performance_schema.data_locks locks
              JOIN performance_schema.threads threads ON threads.THREAD_ID = locks.THREAD_ID
              LEFT JOIN performance_schema.events_statements_current statements
                ON statements.THREAD_ID = threads.THREAD_ID AND statements.NESTING_EVENT_LEVEL = 0
             WHERE locks.OBJECT_SCHEMA = DATABASE() AND locks.OBJECT_NAME = '%s' AND locks.LOCK_TYPE = 'RECORD'
            """;

    private final ShapedStatements joins = new ShapedStatements(this::join);

    /** The versions on which joins are used. */
    private final Set<String> joined = ConcurrentHashMap.newKeySet();

    /** A version that was seen and is not among those. */
    private volatile String unchecked = "";

    /** How often each version was checked: a check that meets a lock of another process fails, too. */
    private final Map<String, Integer> checks = new HashMap<>();

    MySqlDialect(RowTable rows) {
        this(rows, KNOWN);
    }

    /** {@code known}: the versions on which a join is known to lock in order. */
    MySqlDialect(RowTable rows, Set<String> known) {
        super(rows);
        joined.addAll(known);
    }

    @Override
    public String name() {
        return "mysql";
    }

    @Override
    public Set<StoreTrait> traits() {
        return Set.of(
                StoreTrait.TWO_MODES,
                StoreTrait.FALSE_CONTENTION,
                StoreTrait.UNFAIR,
                StoreTrait.NESTED_STAY,
                StoreTrait.BLOCKING_WAITS);
    }

    @Override
    String forShare() {
        return " FOR SHARE";
    }

    @Override
    String serverName() {
        return "@@global.server_uuid";
    }

    /** Ends any idle session, not only one in a transaction. */
    @Override
    List<String> idleVariables() {
        return List.of("wait_timeout");
    }

    @Override
    public Duration keptFor(LockSession session) {
        return session.idleLimit.multipliedBy(3).dividedBy(4);
    }

    @Override
    String limited(String select, long millis) {
        return select.replaceFirst("SELECT", "SELECT /*+ MAX_EXECUTION_TIME(" + millis + ") */");
    }

    // ---- the join

    @Override
    Progress takePrepared(LockSession session, List<ServerLock> locks) throws SQLException {
        boolean joins = locks.size() > 1 && locks.size() <= MOST_TABLES && joins(session);
        return joins ? takeByJoin(session, locks) : super.takePrepared(session, locks);
    }

    private boolean joins(LockSession session) {
        String version = session.server.version();
        if (joined.contains(version)) {
            return true;
        }
        if (!session.isCallers()) {
            unchecked = version;
        }
        return false;
    }

    /** Checks whether joins can be used on a server that is not known. Where rows stand for keys, there are none that can be spared for it. */
    @Override
    public void inBackground(SessionPool pool) {
        String version = unchecked;
        unchecked = "";
        if (version.isEmpty()
                || rows != RowTable.BUCKETS
                || joined.contains(version)
                || checks.merge(version, 1, Integer::sum) > MOST_CHECKS) {
            return;
        }
        try {
            if (new JoinOrderCheck(this::takeByJoin, this::take).passes(pool, version)) {
                joined.add(version);
            }
        } catch (SQLException | LockException e) {
            LOG.debug("The order in which the server locks the rows of a join was not found out", e);
        }
    }

    /** A join without a row locks what comes before the row that is missing: the locks are taken one by one, which finds it. */
    Progress takeByJoin(LockSession session, List<ServerLock> locks) throws SQLException {
        PreparedStatement statement = bound(session, joins, locks);
        try (ResultSet row = statement.executeQuery()) {
            if (row.next()) {
                return new Progress(-1, state(row, session));
            }
        }
        return takeOneByOne(session, locks);
    }

    /** The rows are constants of the optimizer, which reads and locks them in the order of the tables. */
    private String join(String shape) {
        return "SELECT STRAIGHT_JOIN " + BRIEF + "0, " + STATE
                + " FROM " + each(shape, " JOIN ", i -> rows.table() + " t" + i)
                + " WHERE " + each(shape, " AND ", i -> rows.anyRow("t" + i + "."))
                + each(
                        shape,
                        "",
                        i -> (shape.charAt(i) == 'X' ? " FOR UPDATE" : " FOR SHARE") + " OF t" + i + " NOWAIT");
    }

    private static String each(String shape, String separator, IntFunction<String> part) {
        return IntStream.range(0, shape.length()).mapToObj(part).collect(Collectors.joining(separator));
    }

    // ---- looking

    /** The server does not show the text of a prepared statement. What locks rows of the table without a text is a lease that is new. */
    @Override
    public List<OtherSession> otherSessions(LockSession session) throws SQLException {
        return sessions(session, SESSIONS.formatted(BRIEF, rows.table()));
    }
}
