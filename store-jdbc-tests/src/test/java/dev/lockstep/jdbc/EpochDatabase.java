package dev.lockstep.jdbc;

import dev.lockstep.core.spi.EpochRegister;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServer;
import dev.lockstep.testservers.TestServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** A database of its own, and registers in it that are closed with it. */
final class EpochDatabase implements AutoCloseable {
    static final String PAIR = "pair";

    final TestDatabase database;
    private final Server server;
    private final List<LockStore> stores = new ArrayList<>();

    private EpochDatabase(Server server, TestDatabase database) {
        this.server = server;
        this.database = database;
    }

    static EpochDatabase on(Server server) throws SQLException {
        return on(server, TestServers.shared(server.kind()));
    }

    static EpochDatabase on(Server server, TestServer where) throws SQLException {
        return new EpochDatabase(server, where.freshDatabase());
    }

    EpochDatabase provisioned() {
        EpochTable.on(dataSource()).provision(PAIR);
        return this;
    }

    DataSource dataSource() {
        return Databases.of(database);
    }

    /** A register of a store of its own. */
    EpochRegister open() {
        return open(dataSource());
    }

    EpochRegister open(DataSource dataSource) {
        return store(dataSource).epochs(PAIR).orElseThrow();
    }

    LockStore store(DataSource dataSource) {
        LockStore store = server.store(dataSource, 2);
        stores.add(store);
        return store;
    }

    void run(String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws SQLException {
        stores.forEach(LockStore::close);
        database.close();
    }
}
