package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockException;
import dev.lockstep.inventory.Outcome.Failed;
import dev.lockstep.inventory.Outcome.Received;
import dev.lockstep.inventory.sql.Fault;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables, however they were made, on one database, which a subclass names. */
@Timeout(300)
abstract class SchemaContract {
    private static final StockLine SHIRTS = StockLine.line("SHIRT-001", "TOKYO", 5);
    private static final int AT_ONCE = 8;

    private HikariDataSource database;

    /** A database without tables. */
    abstract HikariDataSource open() throws SQLException;

    /** The same as a user who may read and write all tables there are, but create none. */
    abstract HikariDataSource asClerk() throws SQLException;

    abstract void drop() throws SQLException;

    /** Where the files are. */
    abstract String folder();

    @BeforeEach
    void openUp() throws SQLException {
        database = open();
    }

    @AfterEach
    void closeDown() throws SQLException {
        database.close();
        drop();
    }

    private void apply() {
        InventorySchema.on(database).apply();
    }

    private int migrate() {
        return Flyway.configure()
                .dataSource(database)
                .locations("classpath:db/lockstep-inventory/" + folder())
                .table("lockstep_inventory_history")
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .load()
                .migrate()
                .migrationsExecuted;
    }

    private void sql(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void assertSells() {
        try (Inventory inventory = TestShop.patient(database).build()) {
            assertThat(inventory.receive(SHIRTS, "in-" + System.nanoTime())).isInstanceOf(Received.class);
        }
    }

    @Test
    void appliedAgainItChangesNothing() throws SQLException {
        apply();
        assertSells();
        List<String> before = TableLayout.of(database);
        apply();
        assertThat(TableLayout.of(database)).isEqualTo(before).hasSizeGreaterThan(25);
        try (Inventory inventory = TestShop.patient(database).build()) {
            assertThat(inventory.stock(SHIRTS.key())).contains(new Stock(SHIRTS.key(), 5, 0, 1));
        }
    }

    @Test
    void manyApplyItAtTheSameTime() throws Exception {
        CyclicBarrier together = new CyclicBarrier(AT_ONCE);
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        try {
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int i = 0; i < AT_ONCE; i++) {
                all.add(CompletableFuture.runAsync(() -> applyWith(together), threads));
            }
            all.forEach(CompletableFuture::join);
        } finally {
            threads.shutdown();
        }
        assertSells();
    }

    private void applyWith(CyclicBarrier together) {
        try {
            together.await();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        apply();
    }

    @Test
    void flywayRunsTheSameFilesAndThereIsNothingLeftToApply() throws SQLException {
        assertThat(migrate()).isEqualTo(3);
        List<String> before = TableLayout.of(database);
        apply();
        assertThat(TableLayout.of(database)).isEqualTo(before);
        assertThat(migrate()).isZero();
        assertSells();
    }

    @Test
    void whatWasAppliedIsFineForFlyway() throws SQLException {
        apply();
        assertSells();
        List<String> before = TableLayout.of(database);
        migrate();
        assertThat(TableLayout.of(database)).isEqualTo(before);
        assertThat(migrate()).isZero();
        assertSells();
    }

    /** The tables as they were before the second file. */
    private void installFirstVersion() throws SQLException {
        String file = "/db/lockstep-inventory/" + folder() + "/V1__inventory.sql";
        try (InputStream in = Objects.requireNonNull(InventorySchema.class.getResourceAsStream(file))) {
            String script = new String(in.readAllBytes(), StandardCharsets.UTF_8).replaceAll("(?m)^--.*$", "");
            for (String statement : script.split(";")) {
                if (!statement.isBlank()) {
                    sql(statement);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void sellWithFirstVersion() throws SQLException {
        sql("INSERT INTO inventory_location (sku, location, physical_qty, allocated_qty, version, updated_at)"
                + " VALUES ('SHIRT-001', 'TOKYO', 2, 0, 1, CURRENT_TIMESTAMP)");
        sql("INSERT INTO inventory_transaction (sku, location, sequence, request_id, request_line, payload_hash, type,"
                + " physical_change, allocated_change, physical_after, allocated_after, created_at)"
                + " VALUES ('SHIRT-001', 'TOKYO', 1, 'old', 0, 'x', 'RECEIVE', 2, 0, 2, 0, CURRENT_TIMESTAMP)");
    }

    private void assertNotSoldBeforeTheUpgrade() {
        try (Inventory inventory = TestShop.patient(database).build()) {
            assertThat(inventory.receive(SHIRTS, "early"))
                    .isInstanceOfSatisfying(
                            Failed.class,
                            failed -> assertThat(failed.cause())
                                    .hasMessageContaining("InventorySchema.on(dataSource).apply()"));
        }
    }

    /** Also what the earlier version has written is in the feed. */
    private void assertSellsWhatWasThere() {
        assertSells();
        try (Inventory inventory = TestShop.patient(database).build()) {
            assertThat(inventory.stock(SHIRTS.key())).contains(new Stock(SHIRTS.key(), 7, 0, 2));
            assertThat(inventory.changes(0, 10))
                    .extracting(change -> change.entry().change().after().physical())
                    .containsExactly(2L, 7L);
            assertThat(inventory.reconcile(found -> {}).isClean()).isTrue();
        }
    }

    private void assertHasHeldIndex() throws SQLException {
        assertThat(TableLayout.of(database))
                .anyMatch(line -> line.toLowerCase(Locale.ROOT).contains("inventory_reservation_held"));
    }

    @Test
    void anInstalledFirstVersionIsUpgradedWithItsRows() throws SQLException {
        installFirstVersion();
        sellWithFirstVersion();
        assertNotSoldBeforeTheUpgrade();
        apply();
        assertHasHeldIndex();
        assertThat(migrate()).isPositive();
        assertHasHeldIndex();
        assertSellsWhatWasThere();
    }

    @Test
    void flywayUpgradesAnInstalledFirstVersion() throws SQLException {
        installFirstVersion();
        sellWithFirstVersion();
        assertThat(migrate()).isEqualTo(3);
        assertHasHeldIndex();
        assertSellsWhatWasThere();
    }

    @Test
    void aTableOfTheShopWithoutTheGuardsIsRefused() throws SQLException {
        sql("CREATE TABLE inventory_location (sku varchar(64) NOT NULL, location varchar(64) NOT NULL,"
                + " physical_qty bigint NOT NULL, allocated_qty bigint NOT NULL, version bigint NOT NULL,"
                + " updated_at timestamp NOT NULL, PRIMARY KEY (sku, location))");
        assertThatThrownBy(this::apply)
                .isInstanceOf(LockException.class)
                .hasMessageStartingWith("The table inventory_location accepts what must be refused (")
                .hasMessageContaining("or use a table prefix");
        assertThat(rows("inventory_location")).isZero();
    }

    @Test
    void aLedgerOfTheShopThatTakesARequestTwiceIsRefused() throws SQLException {
        apply();
        sql(withoutOnce());
        assertThatThrownBy(() -> InventorySchema.on(database).verify())
                .isInstanceOf(LockException.class)
                .hasMessageStartingWith("The table inventory_transaction accepts what must be refused (");
        assertThat(rows("inventory_transaction")).isZero();
    }

    /** What drops the unique constraint of the request ids. */
    String withoutOnce() {
        return "ALTER TABLE inventory_transaction DROP CONSTRAINT inventory_transaction_once";
    }

    private long rows(String table) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet count = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
            count.next();
            return count.getLong(1);
        }
    }

    @Test
    void tablesWithAPrefixStandBesideTablesOfTheShop() throws SQLException {
        sql("CREATE TABLE inventory_location (aisle integer)");
        InventorySchema schema = InventorySchema.on(database).tablePrefix("shop_");
        schema.apply();
        schema.apply();
        try (Inventory inventory =
                TestShop.patient(database).tablePrefix("shop_").build()) {
            assertThat(inventory.receive(SHIRTS, "in")).isInstanceOf(Received.class);
            assertThat(inventory.receive(StockLine.line("inventory_location", "TOKYO", 1), "in-2"))
                    .isInstanceOf(Received.class);
            assertThat(inventory.stock("inventory_location")).hasSize(1);
            assertThat(inventory.reserve(SHIRTS, "r1")).isInstanceOf(Outcome.Reserved.class);
            assertThat(inventory.cancel("r1", "c1")).isInstanceOf(Outcome.Cancelled.class);
            assertThat(inventory.reconcile(found -> {}).isClean()).isTrue();
        }
        assertThat(rows("shop_inventory_transaction")).isEqualTo(4);
        assertThat(rows("inventory_location")).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Shop", "1shop", "shop-", "shop; DROP", "a_prefix_that_is_too_long"})
    void aPrefixThatIsNoNameIsRefused(String prefix) {
        assertThatThrownBy(() -> InventorySchema.on(database).tablePrefix(prefix))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageStartingWith("The table prefix is '" + prefix + "', but must be 1 to 20 of a-z");
    }

    @Test
    void aUserWhoMayNotCreateTablesIsToldSo() throws SQLException {
        try (HikariDataSource clerk = asClerk()) {
            assertThatThrownBy(() -> InventorySchema.on(clerk).apply())
                    .isInstanceOf(LockException.class)
                    .hasMessageStartingWith("The tables of the inventory could not be created: ")
                    .hasMessageEndingWith(
                            ". The user needs the right to create tables; or run script() as one who has it.");
        }
    }

    @Test
    void aUserWhoMayNotCreateTablesCanApplyWhatIsThere() throws SQLException {
        apply();
        try (HikariDataSource clerk = asClerk()) {
            InventorySchema.on(clerk).apply();
            try (Inventory inventory = TestShop.patient(clerk).build()) {
                assertThat(inventory.receive(SHIRTS, "in")).isInstanceOf(Received.class);
            }
        }
    }

    @Test
    void withoutTablesTheOutcomeSaysWhatToDo() {
        try (Inventory inventory = TestShop.patient(database).build()) {
            assertThat(inventory.receive(SHIRTS, "in"))
                    .isInstanceOfSatisfying(
                            Failed.class,
                            failed -> assertThat(failed.cause())
                                    .hasMessageStartingWith(
                                            "The tables of the inventory are missing or of an older version (")
                                    .hasMessageContaining("inventory_location")
                                    .hasMessageEndingWith(
                                            "). Call InventorySchema.on(dataSource).apply(), or let Flyway run the"
                                                    + " files under db/lockstep-inventory."));
            assertThatThrownBy(() -> inventory.stock(SHIRTS.key()))
                    .isInstanceOf(LockException.class)
                    .hasMessageContaining("InventorySchema.on(dataSource).apply()");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE inventory_location SET physical_qty = -1",
                "UPDATE inventory_location SET allocated_qty = -1",
                "UPDATE inventory_location SET allocated_qty = 6",
                "UPDATE inventory_location SET physical_qty = 2",
                "UPDATE inventory_reservation SET quantity = 0",
                "UPDATE inventory_reservation SET state = 'LOST'",
                "INSERT INTO inventory_location (sku, location, physical_qty, allocated_qty, version, updated_at)"
                        + " VALUES ('HAT', 'TOKYO', 1, 2, 0, CURRENT_TIMESTAMP)"
            })
    void theTablesRefuseWhatCannotBeAlsoByHand(String statement) {
        apply();
        try (Inventory inventory = TestShop.patient(database).build()) {
            inventory.receive(SHIRTS, "in");
            inventory.reserve(StockLine.line("SHIRT-001", "TOKYO", 3), "r1");
            assertThatThrownBy(() -> sql(statement))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(Fault.of(e)).isEqualTo(Fault.GUARD));
            assertThat(inventory.stock(SHIRTS.key())).contains(new Stock(SHIRTS.key(), 5, 3, 2));
        }
    }

    @Test
    void keysAndIdsThatLookAlikeAreDifferent() throws SQLException {
        apply();
        try (Inventory inventory = TestShop.patient(database).build()) {
            for (String name : List.of("a", "A", "ａ", "ä", "a\u0308")) {
                assertThat(inventory.receive(StockLine.line(name, name, 1), name))
                        .isInstanceOf(Received.class);
                assertThat(inventory.stock(name)).hasSize(1);
            }
            sql("INSERT INTO inventory_location (sku, location, physical_qty, allocated_qty, version, updated_at)"
                    + " VALUES ('a ', 'a', 7, 0, 0, CURRENT_TIMESTAMP)");
            assertThat(inventory.stock("a")).containsExactly(new Stock(new StockKey("a", "a"), 1, 0, 1));
        }
    }
}
