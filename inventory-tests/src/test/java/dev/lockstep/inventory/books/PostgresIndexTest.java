package dev.lockstep.inventory.books;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.lockstep.inventory.InventorySchema;
import dev.lockstep.inventory.TestPool;
import dev.lockstep.inventory.sql.Session;
import dev.lockstep.inventory.sql.TimeLimits;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServers;
import dev.lockstep.testservers.UsesServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@UsesServer(ServerKind.POSTGRES)
@Tag("once")
class PostgresIndexTest extends IndexContract {
    PostgresIndexTest() {
        super(ServerKind.POSTGRES);
    }

    @Override
    long rowsRead(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(
                        "SELECT SUM(seq_tup_read + COALESCE(idx_tup_fetch, 0)) FROM pg_stat_xact_user_tables")) {
            result.next();
            return result.getLong(1);
        }
    }

    /** A generic plan made while a table was empty reads all of it, and the server keeps such a plan until it analyzes the table. */
    @Test
    void lookUpsAfterQueriesOfEmptyTables() throws SQLException {
        try (TestDatabase database = TestServers.shared(ServerKind.POSTGRES).freshDatabase();
                HikariDataSource pool =
                        TestPool.to(database.jdbcUrl(), database.user(), database.password(), 1, TestPool.PATIENT)) {
            InventorySchema.on(pool).apply();
            Database tables = new Database(pool, new TimeLimits(60_000, 60_000));
            for (int i = 0; i < 20; i++) {
                lookUp(tables);
            }
            insertRows(pool);
            assertThat(lookUp(tables)).isLessThan(100);
        }
    }

    /** Returns how many rows are read. */
    private long lookUp(Database tables) throws SQLException {
        try (Session session = tables.begin()) {
            long before = rowsRead(session.connection());
            tables.tables(session).journal(session.connection(), List.of("r1", "r2"));
            tables.tables(session).holds(session.connection(), List.of("r1", "r2"));
            return rowsRead(session.connection()) - before;
        }
    }

    private static void insertRows(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO inventory_location (sku, location, physical_qty, allocated_qty, version,"
                    + " updated_at) VALUES ('SKU-1', 'TOKYO', 10, 1, 1, CURRENT_TIMESTAMP)");
            statement.execute("INSERT INTO inventory_transaction (sku, location, sequence, request_id, request_line,"
                    + " payload_hash, type, physical_change, allocated_change, physical_after, allocated_after, created_at)"
                    + " SELECT 'SKU-1', 'TOKYO', n, CONCAT('r', n), 0, 'x', 'RECEIVE', 10, 1, 10, 1, CURRENT_TIMESTAMP"
                    + " FROM generate_series(1, 10000) n");
            statement.execute(
                    "INSERT INTO inventory_reservation (reservation_id, sku, location, quantity, state, created_at)"
                            + " SELECT CONCAT('r', n), 'SKU-1', 'TOKYO', 1, 'HELD', CURRENT_TIMESTAMP FROM generate_series(1, 10000) n");
        }
    }
}
