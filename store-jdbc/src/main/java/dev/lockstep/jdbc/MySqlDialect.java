package dev.lockstep.jdbc;

import dev.lockstep.core.spi.StoreTrait;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** MySQL 8. */
final class MySqlDialect extends InnoDbDialect {
    private static final String SESSIONS = """
            SELECT DISTINCT threads.PROCESSLIST_ID, COALESCE(statements.SQL_TEXT, '%s')
              FROM performance_schema.data_locks locks
              JOIN performance_schema.threads threads ON threads.THREAD_ID = locks.THREAD_ID
              LEFT JOIN performance_schema.events_statements_current statements
                ON statements.THREAD_ID = threads.THREAD_ID AND statements.NESTING_EVENT_LEVEL = 0
             WHERE locks.OBJECT_SCHEMA = DATABASE() AND locks.OBJECT_NAME = '%s' AND locks.LOCK_TYPE = 'RECORD'
            """;

    MySqlDialect(RowTable rows) {
        super(rows);
    }

    @Override
    public String name() {
        return "mysql";
    }

    @Override
    public Set<StoreTrait> traits() {
        return Set.of(StoreTrait.TWO_MODES, StoreTrait.FALSE_CONTENTION, StoreTrait.UNFAIR, StoreTrait.NESTED_STAY);
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

    /** The server does not show the text of a prepared statement. What locks rows of the table without a text is a lease that is new. */
    @Override
    public List<OtherSession> otherSessions(LockSession session) throws SQLException {
        return sessions(session, SESSIONS.formatted(BRIEF, rows.table()));
    }
}
