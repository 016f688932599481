package dev.lockstep.jdbc.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The prepared statements of one connection, as many as were used last. */
public final class PreparedStatements implements AutoCloseable {
    private static final int MOST = 64;

    /** A server has a limit for all of its sessions: 16,382 by default on MySQL and MariaDB. */
    private static final int MOST_ON_SERVER = 16;

    /** A statement that is used once in a while is not worth the round trip that prepares it on the server. */
    private static final int USES_BEFORE_SERVER = 4;

    private static final int ENDED = -1;

    /** Prepares a statement on the server. */
    public interface Preparation {
        PreparedStatement prepare(String sql) throws SQLException;
    }

    private final Connection connection;
    private final Map<String, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
    private @Nullable Preparation server;
    private int most = MOST;

    /** The room that the store has left for statements on the server. */
    private volatile Semaphore room = new Semaphore(0);

    /** How much of it this connection uses. */
    private final AtomicInteger used = new AtomicInteger();

    private static final class Entry {
        private int uses;
        private boolean onServer;
        private @Nullable PreparedStatement statement;
    }

    public PreparedStatements(Connection connection) {
        this.connection = connection;
    }

    /** Has statements that are used often prepared on the server, as long as there is room; without this, the driver decides. */
    public void prepareOnServer(Preparation preparation, Semaphore roomOnServer) {
        server = preparation;
        room = roomOnServer;
        most = MOST_ON_SERVER;
    }

    /** Leaves it to the driver from now on. */
    public void leaveToDriver() throws SQLException {
        server = null;
        close();
    }

    public PreparedStatement get(String sql) throws SQLException {
        Entry entry = entries.computeIfAbsent(sql, unused -> new Entry());
        Preparation preparation = server;
        if (preparation != null && !entry.onServer && entry.uses >= USES_BEFORE_SERVER && takesRoom()) {
            prepareOnServer(preparation, sql, entry);
        }
        entry.uses++;
        PreparedStatement statement = entry.statement;
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            entry.statement = statement;
            dropEldest();
        }
        return statement;
    }

    /** Where the server, the driver or a proxy can't do it, the driver's own statement serves as well. */
    private void prepareOnServer(Preparation preparation, String sql, Entry entry) throws SQLException {
        PreparedStatement prepared;
        try {
            prepared = preparation.prepare(sql);
        } catch (SQLException e) {
            returnRoom();
            SqlFault fault = SqlFault.of(e);
            if (fault == SqlFault.CONNECTION_LOST || fault == SqlFault.WAIT_TIMEOUT) {
                throw e;
            }
            server = null;
            return;
        }
        PreparedStatement old = entry.statement;
        entry.statement = prepared;
        entry.onServer = true;
        if (old != null) {
            old.close();
        }
    }

    private void dropEldest() throws SQLException {
        if (entries.size() > most) {
            Entry eldest = entries.remove(entries.keySet().iterator().next());
            if (eldest != null) {
                close(eldest);
            }
        }
    }

    private void close(Entry entry) throws SQLException {
        if (entry.onServer) {
            entry.onServer = false;
            returnRoom();
        }
        PreparedStatement statement = entry.statement;
        entry.statement = null;
        if (statement != null) {
            statement.close();
        }
    }

    @Override
    public void close() throws SQLException {
        for (Entry entry : entries.values()) {
            close(entry);
        }
        entries.clear();
    }

    // ---- the room on the server, which another thread may return while a statement is being prepared

    private boolean takesRoom() {
        if (!room.tryAcquire()) {
            return false;
        }
        if (used.getAndUpdate(count -> count == ENDED ? ENDED : count + 1) == ENDED) {
            room.release();
            return false;
        }
        return true;
    }

    private void returnRoom() {
        if (used.getAndUpdate(count -> count == ENDED ? ENDED : count - 1) != ENDED) {
            room.release();
        }
    }

    /** To be called when the connection is dropped, and the statements with it. */
    public void dropped() {
        int left = used.getAndSet(ENDED);
        if (left != ENDED) {
            room.release(left);
        }
    }
}
