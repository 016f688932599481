package dev.lockstep.examples;

import static dev.lockstep.inventory.StockLine.line;

import dev.lockstep.inventory.Inventory;
import dev.lockstep.inventory.LedgerChange;
import dev.lockstep.inventory.Stock;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/** A consumer of the feed of changes: it keeps an index of what is available, in another database. */
public final class SearchIndex {
    private final DataSource index;

    private SearchIndex(DataSource index) {
        this.index = index;
    }

    public static void main(String[] args) throws SQLException {
        DataSource index = new DriverSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        Sql.run(
                index,
                "CREATE TABLE available (sku varchar(64), location varchar(64), quantity bigint)",
                "CREATE TABLE progress (position bigint)",
                "INSERT INTO progress VALUES (0)");
        try (Inventory inventory = Inventory.on(ShopDatabase.withTables(args))) {
            inventory.receive(List.of(line("SHIRT-001", "TOKYO", 10), line("HAT-001", "TOKYO", 5)), "delivery-7");
            inventory.reserve(line("SHIRT-001", "TOKYO", 2), "order-1");
            show(new SearchIndex(index), inventory);

            inventory.reserve(line("HAT-001", "TOKYO", 4), "order-2");
            inventory.ship("order-1", "order-1/ship");
            show(new SearchIndex(index), inventory); // the consumer was started again, and continues
            show(new SearchIndex(index), inventory);
        }
    }

    private static void show(SearchIndex search, Inventory inventory) throws SQLException {
        System.out.println(search.catchUp(inventory) + " changes: SHIRT-001 has " + search.available("SHIRT-001")
                + ", HAT-001 has " + search.available("HAT-001"));
    }

    /** Takes over all changes since the last time; returns how many. */
    private int catchUp(Inventory inventory) throws SQLException {
        int count = 0;
        // tag::inventory-changes
        List<LedgerChange> page = inventory.changes(position(), 1_000);
        while (!page.isEmpty()) {
            save(page); // the index and the position of the last change, in one transaction
            count += page.size();
            page = inventory.changes(position(), 1_000);
        }
        // end::inventory-changes
        return count;
    }

    private long position() throws SQLException {
        return number("SELECT position FROM progress");
    }

    private long available(String sku) throws SQLException {
        return number("SELECT SUM(quantity) FROM available WHERE sku = ?", sku);
    }

    private long number(String sql, String... values) throws SQLException {
        try (Connection connection = index.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            try (ResultSet result = statement.executeQuery()) {
                result.next();
                return result.getLong(1);
            }
        }
    }

    /** A change says what it has left, so one that comes a second time does no harm. */
    private void save(List<LedgerChange> page) throws SQLException {
        try (Connection connection = index.getConnection()) {
            connection.setAutoCommit(false);
            for (LedgerChange change : page) {
                Stock after = change.entry().change().after();
                run(
                        connection,
                        "MERGE INTO available KEY (sku, location) VALUES (?, ?, ?)",
                        after.key().sku(),
                        after.key().location(),
                        after.available());
            }
            run(
                    connection,
                    "UPDATE progress SET position = ?",
                    page.get(page.size() - 1).position());
            connection.commit();
        }
    }

    private static void run(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.executeUpdate();
        }
    }
}
