package dev.lockstep.jdbc;

import dev.lockstep.jdbc.sql.ServerPreparation;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The prepared statements of one connection, as many as were used last. */
final class PreparedStatements implements AutoCloseable {
    /** A server has a limit for all of its sessions: 16,382 by default on MySQL and MariaDB. */
    private static final int MOST = 16;

    /** A statement that is used once in a while is not worth the round trip that prepares it on the server. */
    private static final int USES_BEFORE_SERVER = 4;

    private final Connection connection;
    private final Map<String, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
    private @Nullable ServerPreparation server;

    private static final class Entry {
        private int uses;
        private @Nullable PreparedStatement statement;

        private void replace(@Nullable PreparedStatement other) throws SQLException {
            PreparedStatement old = statement;
            statement = other;
            if (old != null) {
                old.close();
            }
        }
    }

    PreparedStatements(Connection connection) {
        this.connection = connection;
    }

    /** Has statements that are used often prepared on the server; without this, the driver decides. */
    void prepareOnServer(ServerPreparation preparation) {
        server = preparation;
    }

    /** Leaves it to the driver from now on. */
    void leaveToDriver() throws SQLException {
        server = null;
        close();
    }

    PreparedStatement get(String sql) throws SQLException {
        Entry entry = entries.computeIfAbsent(sql, unused -> new Entry());
        ServerPreparation preparation = server;
        if (preparation != null && entry.uses == USES_BEFORE_SERVER) {
            entry.replace(preparation.prepare(sql));
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

    private void dropEldest() throws SQLException {
        if (entries.size() > MOST) {
            Entry eldest = entries.remove(entries.keySet().iterator().next());
            if (eldest != null) {
                eldest.replace(null);
            }
        }
    }

    @Override
    public void close() throws SQLException {
        for (Entry entry : entries.values()) {
            entry.replace(null);
        }
        entries.clear();
    }
}
