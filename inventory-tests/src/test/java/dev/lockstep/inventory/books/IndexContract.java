package dev.lockstep.inventory.books;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.lockstep.core.Deadline;
import dev.lockstep.core.LockClock;
import dev.lockstep.inventory.Command.Repair;
import dev.lockstep.inventory.InventorySchema;
import dev.lockstep.inventory.Remedy;
import dev.lockstep.inventory.Stock;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.TestPool;
import dev.lockstep.inventory.sql.ConflictException;
import dev.lockstep.inventory.sql.Session;
import dev.lockstep.inventory.sql.TimeLimits;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** In tables of a hundred thousand rows, nothing that happens all the time reads more than a few of them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
abstract class IndexContract {
    private static final int FEW = 100;

    private static final String DIGITS = "(SELECT 0 AS n UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4"
            + " UNION SELECT 5 UNION SELECT 6 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9)";
    private static final String NUMBERS = "(SELECT a.n + 10 * b.n + 100 * c.n + 1000 * d.n + 10000 * e.n AS n FROM "
            + DIGITS + " a, " + DIGITS + " b, " + DIGITS + " c, " + DIGITS + " d, " + DIGITS + " e) numbers";

    private final ServerKind kind;
    private TestDatabase database;
    private HikariDataSource pool;

    IndexContract(ServerKind kind) {
        this.kind = kind;
    }

    /** How many rows this session has read so far. */
    abstract long rowsRead(Connection connection) throws SQLException;

    @BeforeAll
    void fill() throws SQLException {
        database = TestServers.shared(kind).freshDatabase();
        pool = TestPool.to(database.jdbcUrl(), database.user(), database.password(), 4, TestPool.PATIENT);
        InventorySchema.on(pool).apply();
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO inventory_location (sku, location, physical_qty, allocated_qty, version,"
                    + " updated_at) SELECT CONCAT('SKU-', n), 'TOKYO', 10, 1, 1, CURRENT_TIMESTAMP FROM " + NUMBERS);
            statement.execute("INSERT INTO inventory_transaction (sku, location, sequence, request_id, request_line,"
                    + " payload_hash, type, physical_change, allocated_change, physical_after, allocated_after, created_at)"
                    + " SELECT CONCAT('SKU-', n), 'TOKYO', 1, CONCAT('r', n), 0, 'x', 'RECEIVE', 10, 1, 10, 1,"
                    + " CURRENT_TIMESTAMP FROM " + NUMBERS);
            statement.execute("INSERT INTO inventory_reservation (reservation_id, sku, location, quantity, state,"
                    + " expires_at, created_at) SELECT CONCAT('r', n), CONCAT('SKU-', n), 'TOKYO', 1,"
                    + " CASE WHEN n < 50000 THEN 'HELD' ELSE 'EXPIRED' END,"
                    + " CASE WHEN n < 25000 THEN NULL ELSE CURRENT_TIMESTAMP + INTERVAL '1' DAY END,"
                    + " CURRENT_TIMESTAMP FROM " + NUMBERS);
        }
    }

    @AfterAll
    void drop() throws SQLException {
        pool.close();
        database.close();
    }

    private void assertReadsFew(Database.Question<?> question) throws SQLException {
        Database tables = new Database(pool, new TimeLimits(60_000, 60_000));
        try (Session session = tables.begin()) {
            long before = rowsRead(session.connection());
            question.ask(tables.tables(session), session.connection());
            assertThat(rowsRead(session.connection()) - before).isLessThan(FEW);
        }
    }

    private static StockKey key(int number) {
        return new StockKey("SKU-" + number, "TOKYO");
    }

    @Test
    void theJournal() throws SQLException {
        assertReadsFew((tables, connection) -> tables.journal(connection, List.of("r1", "r99999", "r100001")));
    }

    @Test
    void theBooksOfOneStock() throws SQLException {
        assertReadsFew((tables, connection) -> BooksQuery.of(connection, key(1)));
    }

    @Test
    void reservations() throws SQLException {
        assertReadsFew((tables, connection) -> tables.holds(connection, List.of("r1", "r99999", "unknown")));
    }

    @Test
    void stock() throws SQLException {
        assertReadsFew((tables, connection) -> tables.read(connection, List.of(key(1), key(50_000)), ReadMode.PLAIN));
        assertReadsFew((tables, connection) -> tables.ofSku(connection, "SKU-77"));
    }

    @Test
    void manyRowsAreLockedAndWrittenByTheirKeys() throws SQLException {
        assertReadsFew((tables, connection) -> {
            Map<StockKey, StockRow> rows =
                    tables.read(connection, List.of(key(1), key(2), key(50_000)), ReadMode.SKIPPING);
            assertThat(rows).hasSize(3);
            rows.values().forEach(row -> row.change(0, 1));
            try {
                tables.updateLockedRows(connection, List.copyOf(rows.values()), tables.now(connection));
            } catch (ConflictException e) {
                throw new AssertionError(e);
            }
            assertThat(tables.read(connection, List.of(key(50_000)), ReadMode.PLAIN)
                            .get(key(50_000)))
                    .extracting(StockRow::now)
                    .isEqualTo(new Stock(key(50_000), 10, 2, 2));
            return rows;
        });
    }

    @Test
    void reservationsThatAreDue() throws SQLException {
        assertReadsFew((tables, connection) -> tables.due(connection, DueHold.FIRST, 500));
    }

    /** Also of stock in the middle of the table, whether most of it has changed or hardly any. */
    @Test
    void changesWithoutAPosition() throws SQLException {
        assertReadsFew((tables, connection) -> ChangeRows.unpublished(tables, connection, key(5_000), 10));
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("UPDATE inventory_location SET unpublished = 0 WHERE sku <> 'SKU-777'");
        }
        assertReadsFew((tables, connection) -> {
            assertThat(ChangeRows.unpublished(tables, connection, key(5_000), 10))
                    .containsExactly(key(777));
            ChangeRows.markPublished(connection, Map.of(key(777), 1L));
            return ChangeRows.published(connection, List.of(key(777), key(2)));
        });
    }

    @Test
    void changesAfterAPosition() throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO inventory_change (position, sku, location, first_line, last_line)"
                    + " SELECT n + 1, CONCAT('SKU-', n), 'TOKYO', 1, 1 FROM " + NUMBERS);
        }
        assertReadsFew((tables, connection) -> {
            assertThat(ChangeRows.after(tables, connection, 50_000, 10)).hasSize(10);
            return tables;
        });
        assertReadsFew((tables, connection) -> Checkpoints.replace(connection, key(3), 1));
    }

    /** The ledger is read before the row is locked, and under the lock only what has come since. */
    @Test
    void aRepairOfALongLedgerUnderTheLock() throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO inventory_transaction (sku, location, sequence, request_id, request_line,"
                    + " payload_hash, type, physical_change, allocated_change, physical_after, allocated_after, created_at)"
                    + " SELECT 'SKU-5', 'TOKYO', n, CONCAT('long', n), 0, 'x', 'ADJUST', 0, 0, 10, 1,"
                    + " CURRENT_TIMESTAMP FROM " + NUMBERS + " WHERE n > 1 AND n < 5000");
        }
        Database tables = new Database(pool, new TimeLimits(60_000, 60_000));
        Ledger before = tables.query((any, connection) -> BooksQuery.of(connection, key(5)))
                .ledger();
        assertThat(before.lines()).isEqualTo(4_999);
        Repair repair = new Repair(key(5), Remedy.KEEP_STOCK, "counted", "fix");
        Duration patience = Duration.ofMinutes(1);
        PendingCommand work =
                new PendingCommand(repair, List.of(), "", patience, Deadline.in(patience, LockClock.system()), before);
        assertReadsFew((any, connection) -> {
            Map<StockKey, Books> books = BooksQuery.ofRepairs(connection, List.of(work));
            assertThat(books.get(key(5)).ledger()).isEqualTo(before);
            return books;
        });
    }
}
