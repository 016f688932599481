package dev.lockstep.inventory.engine;

import dev.lockstep.core.LockClock;
import dev.lockstep.inventory.Discrepancy;
import dev.lockstep.inventory.Discrepancy.OverdueHold;
import dev.lockstep.inventory.Discrepancy.StockFault;
import dev.lockstep.inventory.Discrepancy.StockFault.Kind;
import dev.lockstep.inventory.InventoryEvent.Alert;
import dev.lockstep.inventory.InventoryEvent.BooksDisagree;
import dev.lockstep.inventory.InventoryEvent.HoldOverdue;
import dev.lockstep.inventory.InventoryEvent.NegativeStock;
import dev.lockstep.inventory.ReconciliationReport;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.books.Books;
import dev.lockstep.inventory.books.BooksQuery;
import dev.lockstep.inventory.books.Database;
import dev.lockstep.inventory.books.DueHold;
import dev.lockstep.inventory.books.KeyRange;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Compares all stock with its ledger and its reservations, page by page, each as it was at one moment. Nothing is locked, and what is
 * found is reported between the pages, when no transaction is open.
 */
final class Reconciler {
    /** How many stocks one statement compares: it bounds the memory that a run needs. */
    static final int USUAL_PAGE = 10_000;

    /** How long after its end a hold must have returned its stock. */
    static final Duration OVERDUE = Duration.ofMinutes(1);

    private static final int DUE_AT_ONCE = 500;

    /** The ledger of a page can be long. */
    private static final int PATIENCE_MILLIS = 600_000;

    private final Database database;
    private final LockClock clock;
    private final InventoryMonitor monitor;
    private final int page;

    Reconciler(Database database, LockClock clock, InventoryMonitor monitor, int page) {
        this.database = database;
        this.clock = clock;
        this.monitor = monitor;
        this.page = page;
    }

    ReconciliationReport run(Consumer<Discrepancy> found) {
        long since = clock.nanos();
        Tally tally = new Tally(found);
        StockKey from = new StockKey("", "");
        Optional<StockKey> to;
        do {
            to = pageEnd(from);
            compare(KeyRange.between(from, to), tally);
            from = to.orElse(from);
        } while (to.isPresent());
        findOverdue(tally);
        return new ReconciliationReport(tally.stocks, tally.discrepancies, Duration.ofNanos(clock.nanos() - since));
    }

    private Optional<StockKey> pageEnd(StockKey from) {
        return ask((tables, connection) -> BooksQuery.pageEnd(connection, from, page));
    }

    private void compare(KeyRange range, Tally tally) {
        Collection<Books> all = ask((tables, connection) -> BooksQuery.of(connection, range));
        tally.stocks += all.size();
        all.forEach(books -> books.faults().forEach(tally::add));
    }

    private void findOverdue(Tally tally) {
        LocalDateTime limit =
                ask((tables, connection) -> tables.now(connection)).minus(OVERDUE);
        DueHold last = DueHold.FIRST;
        List<DueHold> due;
        do {
            DueHold from = last;
            due = ask((tables, connection) -> tables.due(connection, from, DUE_AT_ONCE));
            for (DueHold hold : due) {
                if (hold.expiresAt().isAfter(limit)) {
                    return;
                }
                tally.add(new OverdueHold(hold.id(), hold.expiresAt().toInstant(ZoneOffset.UTC)));
                last = hold;
            }
        } while (due.size() == DUE_AT_ONCE);
    }

    private <T> T ask(Database.Question<T> question) {
        return database.ask((tables, connection) -> {
            connection.setNetworkTimeout(Runnable::run, PATIENCE_MILLIS);
            return question.ask(tables, connection);
        });
    }

    private Alert alert(Discrepancy found) {
        if (found instanceof OverdueHold hold) {
            return new HoldOverdue(monitor.now(), hold.reservationId(), hold.expiredAt());
        }
        return found instanceof StockFault fault && fault.kind() == Kind.NEGATIVE
                ? new NegativeStock(monitor.now(), fault.stock())
                : new BooksDisagree(monitor.now(), found);
    }

    /** What was found so far. */
    private final class Tally {
        private final Consumer<Discrepancy> found;
        private long stocks;
        private long discrepancies;

        private Tally(Consumer<Discrepancy> found) {
            this.found = found;
        }

        private void add(Discrepancy discrepancy) {
            discrepancies++;
            monitor.alert(alert(discrepancy));
            found.accept(discrepancy);
        }
    }
}
