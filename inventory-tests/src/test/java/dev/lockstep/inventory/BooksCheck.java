package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.inventory.TableRows.HoldRow;
import dev.lockstep.inventory.TableRows.LedgerRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Looks for what can't be in the books of an inventory that works, whatever was done before. Answers every fault that it finds. */
final class BooksCheck {
    private final TableRows books;
    private final Map<StockKey, Stock> openings;
    private final List<String> faults = new ArrayList<>();

    private BooksCheck(TableRows books, Map<StockKey, Stock> openings) {
        this.books = books;
        this.openings = openings;
    }

    /** Fails unless the books are right; {@code openings} are the rows that no ledger explains. */
    static void verify(TableRows books, Map<StockKey, Stock> openings) {
        assertThat(faults(books, openings)).as("faults in the books").isEmpty();
    }

    static List<String> faults(TableRows books, Map<StockKey, Stock> openings) {
        BooksCheck check = new BooksCheck(books, openings);
        check.stocks();
        check.requests();
        check.holds();
        return check.faults;
    }

    // ---- stock against ledger

    private void stocks() {
        Map<StockKey, List<LedgerRow>> ledgers = books.ledger().stream()
                .collect(Collectors.groupingBy(LedgerRow::key, LinkedHashMap::new, Collectors.toList()));
        Map<StockKey, Long> held = held();
        for (Stock stock : books.stocks()) {
            notNegative(stock);
            Stock opening = opening(stock.key());
            Stock last = chain(opening, ledgers.getOrDefault(stock.key(), List.of()));
            if (!last.equals(stock)) {
                faults.add("the stock is %s, and its ledger ends with %s".formatted(stock, last));
            }
            if (held.getOrDefault(stock.key(), 0L) != stock.allocated() - opening.allocated()) {
                faults.add("of %s %s is held by reservations".formatted(stock, held.getOrDefault(stock.key(), 0L)));
            }
            ledgers.remove(stock.key());
        }
        ledgers.keySet().forEach(key -> faults.add("there is a ledger of %s, and no stock".formatted(key)));
    }

    private Stock opening(StockKey key) {
        return openings.getOrDefault(key, new Stock(key, 0, 0, 0));
    }

    private Map<StockKey, Long> held() {
        return books.holds().stream()
                .filter(hold -> hold.state() == HoldState.HELD)
                .collect(Collectors.groupingBy(
                        hold -> hold.line().key(),
                        Collectors.summingLong(hold -> hold.line().quantity())));
    }

    /** Follows the ledger line by line, and answers where it ends. */
    private Stock chain(Stock opening, List<LedgerRow> ledger) {
        Stock before = opening;
        for (LedgerRow row : ledger) {
            Change change = row.change();
            Stock expected = new Stock(
                    before.key(),
                    before.physical() + change.physical(),
                    before.allocated() + change.allocated(),
                    before.version() + 1);
            if (!expected.equals(change.after())) {
                faults.add("after %s comes %s".formatted(before, row));
            }
            notNegative(change.after());
            before = change.after();
        }
        return before;
    }

    private void notNegative(Stock stock) {
        if (stock.available() < 0 || stock.physical() < 0 || stock.allocated() < 0) {
            faults.add("there is less than nothing: %s".formatted(stock));
        }
    }

    // ---- each request once

    private void requests() {
        Map<String, List<LedgerRow>> byRequest =
                books.ledger().stream().collect(Collectors.groupingBy(LedgerRow::requestId));
        byRequest.forEach((id, rows) -> {
            if (rows.stream().map(LedgerRow::hash).distinct().count() != 1
                    || rows.stream().map(LedgerRow::type).distinct().count() != 1) {
                faults.add("the request %s was used for several things: %s".formatted(id, rows));
            }
            List<Integer> lines = rows.stream().map(LedgerRow::line).sorted().toList();
            for (int i = 0; i < lines.size(); i++) {
                if (lines.get(i) != i) {
                    faults.add("the request %s has the lines %s".formatted(id, lines));
                    return;
                }
            }
        });
    }

    // ---- each reservation begins once and ends at most once

    private void holds() {
        Map<String, List<HoldRow>> byId = books.holds().stream().collect(Collectors.groupingBy(HoldRow::id));
        Map<String, List<LedgerRow>> entries = new HashMap<>();
        for (LedgerRow row : books.ledger()) {
            if (row.reservationId() != null) {
                entries.computeIfAbsent(row.reservationId(), any -> new ArrayList<>())
                        .add(row);
            }
        }
        byId.forEach((id, lines) -> hold(id, lines, entries.getOrDefault(id, List.of())));
        entries.keySet().stream()
                .filter(id -> !byId.containsKey(id))
                .forEach(id -> faults.add("the ledger has a reservation %s that isn't there".formatted(id)));
    }

    private void hold(String id, List<HoldRow> lines, List<LedgerRow> entries) {
        HoldState state = lines.get(0).state();
        if (lines.stream()
                .anyMatch(line -> line.state() != state || (line.endedAt() == null) == (state != HoldState.HELD))) {
            faults.add("the reservation %s is ended by half: %s".formatted(id, lines));
        }
        List<LedgerRow> begun =
                entries.stream().filter(row -> row.type() == EntryType.RESERVE).toList();
        List<LedgerRow> ended =
                entries.stream().filter(row -> row.type() != EntryType.RESERVE).toList();
        matches(id, lines, begun, EntryType.RESERVE, 0, 1);
        switch (state) {
            case HELD -> matches(id, List.of(), ended, null, 0, 0);
            case SHIPPED -> matches(id, lines, ended, EntryType.SHIP, -1, -1);
            case CANCELLED -> matches(id, lines, ended, EntryType.CANCEL, 0, -1);
            case EXPIRED -> matches(id, lines, ended, EntryType.EXPIRE, 0, -1);
        }
    }

    private void matches(
            String id, List<HoldRow> lines, List<LedgerRow> entries, EntryType type, int physical, int allocated) {
        Map<StockKey, HoldRow> left = new HashMap<>();
        lines.forEach(line -> left.put(line.line().key(), line));
        for (LedgerRow entry : entries) {
            HoldRow line = left.remove(entry.key());
            if (line == null
                    || entry.type() != type
                    || entry.change().physical() != physical * line.line().quantity()
                    || entry.change().allocated() != allocated * line.line().quantity()) {
                faults.add("the reservation %s with %s has the entry %s".formatted(id, lines, entry));
            }
        }
        if (!left.isEmpty()) {
            faults.add("the reservation %s has no entry for %s".formatted(id, left.values()));
        }
        if (entries.stream().map(LedgerRow::requestId).distinct().count() > 1) {
            faults.add("the reservation %s was begun or ended by several requests: %s".formatted(id, entries));
        }
    }
}
