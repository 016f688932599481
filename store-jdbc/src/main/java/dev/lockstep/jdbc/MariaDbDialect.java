package dev.lockstep.jdbc;

import dev.lockstep.core.spi.StoreTrait;
import dev.lockstep.jdbc.slots.RowTable;
import dev.lockstep.jdbc.sql.BorrowedConnection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** MariaDB 10.6 and later. */
final class MariaDbDialect extends InnoDbDialect {
    /** Holders show up only where the performance schema is on, waiters always. */
    private static final String SESSIONS = """
            SELECT processes.ID, COALESCE(statements.SQL_TEXT, processes.INFO)
              FROM information_schema.INNODB_TRX transactions
              JOIN information_schema.PROCESSLIST processes ON processes.ID = transactions.trx_mysql_thread_id
              LEFT JOIN performance_schema.threads threads ON threads.PROCESSLIST_ID = processes.ID
              LEFT JOIN performance_schema.events_statements_current statements
                ON statements.THREAD_ID = threads.THREAD_ID
             WHERE processes.DB = DATABASE()
               AND COALESCE(statements.SQL_TEXT, processes.INFO) LIKE '%/*lockstep %'
            """;

    MariaDbDialect(RowTable rows) {
        super(rows);
    }

    @Override
    public String name() {
        return "mariadb";
    }

    @Override
    public Set<StoreTrait> traits() {
        return Set.of(
                StoreTrait.TWO_MODES,
                StoreTrait.FALSE_CONTENTION,
                StoreTrait.UNFAIR,
                StoreTrait.NESTED_STAY,
                StoreTrait.PARTIAL_SIGHT,
                StoreTrait.BLOCKING_WAITS);
    }

    /** It asks the server, over a new connection, to end the old one: a silent network would hold up both. */
    @Override
    public boolean abortNeedsServer() {
        return true;
    }

    @Override
    public LockSession open(BorrowedConnection borrowed, Duration idleLimit) throws SQLException {
        LockSession session = super.open(borrowed, idleLimit);
        session.limitReads();
        return session;
    }

    @Override
    String forShare() {
        return " LOCK IN SHARE MODE";
    }

    @Override
    String serverName() {
        return "CONCAT(@@global.hostname, ':', @@global.port, '/', @@global.server_id)";
    }

    /** The two special ones have precedence over the general one. */
    @Override
    List<String> idleVariables() {
        return List.of(
                "idle_transaction_timeout", "idle_readonly_transaction_timeout", "idle_write_transaction_timeout");
    }

    @Override
    public Duration keptFor(LockSession session) {
        return SessionPool.LAST_KEPT;
    }

    @Override
    String limited(String select, long millis) {
        return "SET STATEMENT max_statement_time = " + String.format(Locale.ROOT, "%.3f", millis / 1000.0) + " FOR "
                + select;
    }

    @Override
    public List<OtherSession> otherSessions(LockSession session) throws SQLException {
        return sessions(session, SESSIONS);
    }
}
