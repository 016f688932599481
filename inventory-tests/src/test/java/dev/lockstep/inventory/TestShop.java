package dev.lockstep.inventory;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.lockstep.core.Locks;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** A fresh database with the tables of an inventory in it, and a pool. */
final class TestShop implements AutoCloseable {
    private final Optional<TestDatabase> database;
    private final HikariDataSource pool;

    private TestShop(Optional<TestDatabase> database, String url, String user, String password) {
        this.database = database;
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setPassword(password);
        config.setMaximumPoolSize(16);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(TestPool.PATIENT.toMillis());
        pool = new HikariDataSource(config);
        InventorySchema.on(pool).apply();
    }

    static TestShop on(ServerKind kind) throws SQLException {
        TestDatabase fresh = TestServers.shared(kind).freshDatabase();
        return new TestShop(Optional.of(fresh), fresh.jdbcUrl(), fresh.user(), fresh.password());
    }

    static TestShop onH2() {
        return new TestShop(Optional.empty(), "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
    }

    HikariDataSource dataSource() {
        return pool;
    }

    InventoryBuilder inventory() {
        return patient(pool);
    }

    /** For requests that must be answered, however long the machine stands still. */
    static InventoryBuilder patient(DataSource dataSource) {
        return Inventory.builder(dataSource).patience(Duration.ofMinutes(2)).answerWithin(Duration.ofMinutes(1));
    }

    /** Locks that last however long the machine stands still. */
    static Locks locks() {
        return Locks.builder(MemoryStore.create())
                .defaultTerm(Duration.ofMinutes(10))
                .build();
    }

    /** Writes a row as someone would by hand, with the opening line of a ledger that explains it. */
    void put(StockKey key, long physical, long allocated, long version) throws SQLException {
        sql(
                "INSERT INTO inventory_location (sku, location, physical_qty, allocated_qty, version, updated_at)"
                        + " VALUES (?, ?, ?, ?, ?, CURRENT_TIMESTAMP)",
                key.sku(),
                key.location(),
                physical,
                allocated,
                version);
    }

    void sql(String sql, Object... values) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.executeUpdate();
        }
    }

    /** Deletes all rows. */
    void clear() throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (String table : List.of(
                    "inventory_location", "inventory_transaction", "inventory_reservation", "inventory_change")) {
                statement.executeUpdate("DELETE FROM " + table);
            }
            connection.commit();
        }
    }

    long number(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getLong(1);
        }
    }

    @Override
    public void close() throws SQLException {
        pool.close();
        if (database.isPresent()) {
            database.get().close();
        }
    }
}
