package dev.lockstep.inventory.engine;

import dev.lockstep.inventory.LedgerEntry;
import dev.lockstep.inventory.Reservation;
import dev.lockstep.inventory.Stock;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.books.Database;
import dev.lockstep.inventory.books.Hold;
import dev.lockstep.inventory.books.Keys;
import dev.lockstep.inventory.books.LedgerQuery;
import dev.lockstep.inventory.books.ReadMode;
import dev.lockstep.inventory.books.StockRow;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Reads stock, reservations and ledgers without locks. */
record StockQueries(Database database, InventoryMonitor monitor) {
    Optional<Reservation> reservation(String id) {
        Checks.requireReservationId(id);
        return database.ask((tables, connection) -> tables.hold(connection, id).map(Hold::reservation));
    }

    Optional<Stock> stock(StockKey key) {
        Optional<Stock> stock = database.ask((tables, connection) -> Optional.ofNullable(
                        tables.read(connection, List.of(key), ReadMode.PLAIN).get(key))
                .map(StockRow::now));
        stock.ifPresent(monitor::saw);
        return stock;
    }

    List<Stock> stock(Collection<StockKey> keys) {
        List<StockKey> sorted = Keys.sorted(keys);
        List<Stock> stocks =
                database.ask((tables, connection) -> tables.read(connection, sorted, ReadMode.PLAIN).values().stream()
                        .map(StockRow::now)
                        .toList());
        stocks.forEach(monitor::saw);
        return stocks;
    }

    List<Stock> stock(String sku) {
        Checks.requireSku(sku);
        List<Stock> stocks = database.ask((tables, connection) -> tables.ofSku(connection, sku));
        stocks.forEach(monitor::saw);
        return stocks;
    }

    List<LedgerEntry> ledger(StockKey key, long after, int most) {
        Checks.requireKey(key);
        Checks.requireLines(most);
        return database.ask((tables, connection) -> LedgerQuery.after(connection, key, after, most));
    }

    List<LedgerEntry> lastLines(StockKey key, int most) {
        Checks.requireKey(key);
        Checks.requireLines(most);
        return database.ask((tables, connection) -> LedgerQuery.last(connection, key, most));
    }
}
