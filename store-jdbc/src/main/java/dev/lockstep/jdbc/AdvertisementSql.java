package dev.lockstep.jdbc;

import dev.lockstep.jdbc.slots.AdvisorySlots;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What a {@link KindAdvertisement} says to PostgreSQL. Its locks have two numbers of 32 bits, which are never one with the numbers of 64 bits of
 * {@link AdvisorySlots}.
 */
final class AdvertisementSql {
    private static final int LONGEST_WAIT_MILLIS = 10_000;
    private static final int LONGEST_PAUSE_MILLIS = 2_000;

    private static final String CAPACITY =
            "SELECT setting::int - 1 FROM pg_settings WHERE name = 'track_activity_query_size'";

    /** The pause is limited so that a process that freezes inside doesn't keep all others from declaring kinds. */
    private static final String LIMIT = """
            SELECT set_config('statement_timeout', '%d', true),
                   set_config('idle_in_transaction_session_timeout', '%d', true)""".formatted(LONGEST_WAIT_MILLIS, LONGEST_PAUSE_MILLIS);

    private static final String OTHERS = """
            SELECT activity.pid, activity.query
              FROM pg_locks locks JOIN pg_stat_activity activity ON activity.pid = locks.pid
             WHERE locks.locktype = 'advisory' AND locks.granted
               AND locks.classid = '%s' AND locks.objid = '%s' AND locks.objsubid = 2
               AND locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())""";

    private final long advertisement;
    private final long mutex;

    AdvertisementSql(String namespace) {
        advertisement = AdvisorySlots.number("lockstep-kinds board " + namespace);
        mutex = AdvisorySlots.number("lockstep-kinds mutex " + namespace);
    }

    /** How many bytes of a statement the server shows to others. */
    int capacity(LockSession session) throws SQLException {
        try (ResultSet row = session.statement().executeQuery(session.preface + CAPACITY)) {
            row.next();
            return row.getInt(1);
        }
    }

    /** Begins a transaction during which no other process can read or write advertisements. */
    void begin(LockSession session) throws SQLException {
        execute(session, "BEGIN", LIMIT, "SELECT pg_advisory_xact_lock(" + numbers(mutex) + ")");
    }

    void commit(LockSession session) throws SQLException {
        execute(session, "COMMIT");
    }

    void rollback(LockSession session) throws SQLException {
        execute(session, "ROLLBACK");
    }

    /** Begins every later statement of a session with a comment, and makes the session visible to other processes. */
    void show(LockSession session, String comment) throws SQLException {
        boolean first = session.preface.isEmpty();
        session.preface = comment;
        execute(session, first ? "SELECT pg_advisory_lock_shared(" + numbers(advertisement) + ")" : "SELECT 1");
        if (first) {
            session.restoreToo("SELECT pg_advisory_unlock_shared(" + numbers(advertisement) + ")");
        }
    }

    /** The statements of the advertising sessions, without these. */
    List<String> others(LockSession session, Set<Long> own) throws SQLException {
        String sql = OTHERS.formatted(
                Integer.toUnsignedString(high(advertisement)), Integer.toUnsignedString((int) advertisement));
        List<String> statements = new ArrayList<>();
        try (ResultSet row = session.statement().executeQuery(session.preface + sql)) {
            while (row.next()) {
                String statement = row.getString(2);
                if (!own.contains(row.getLong(1))) {
                    statements.add(statement == null ? "" : statement.strip());
                }
            }
        }
        return statements;
    }

    /** Fails when the connection is gone, or is another one than it was. */
    static void confirm(LockSession session) throws SQLException {
        try (ResultSet row = session.statement().executeQuery(session.preface + "SELECT pg_backend_pid()")) {
            row.next();
            if (row.getLong(1) != session.serverId) {
                throw new SQLException("The driver opened another connection, which is not on the board", "08003");
            }
        }
    }

    private static void execute(LockSession session, String... statements) throws SQLException {
        session.statement().execute(session.preface + String.join("; " + session.preface, statements));
    }

    private static String numbers(long number) {
        return high(number) + ", " + (int) number;
    }

    private static int high(long number) {
        return (int) (number >> 32);
    }
}
