package dev.lockstep.inventory;

import dev.lockstep.core.Locks;
import dev.lockstep.inventory.Command.Adjust;
import dev.lockstep.inventory.Command.Cancel;
import dev.lockstep.inventory.Command.Extend;
import dev.lockstep.inventory.Command.Receive;
import dev.lockstep.inventory.Command.Repair;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Command.SetSafetyStock;
import dev.lockstep.inventory.Command.Ship;
import dev.lockstep.inventory.Outcome.Accepted;
import java.sql.Connection;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * Stock that is never sold twice. Every command has a request id, and is done once however often it is asked; its {@link Outcome}
 * says what became of it. Commands don't throw: what is wrong, short, busy or broken is an outcome. Queries throw a
 * {@link dev.lockstep.core.LockException} when the database can't answer.
 */
public interface Inventory extends AutoCloseable {
    /** Stock in this database, with the defaults of {@link InventoryBuilder}. The tables are those of {@link InventorySchema}. */
    static Inventory on(DataSource dataSource) {
        return builder(dataSource).build();
    }

    /** Stock in this database, with options. */
    static InventoryBuilder builder(DataSource dataSource) {
        return new InventoryBuilder(dataSource);
    }

    /** Does a command, and waits for its outcome. */
    Outcome execute(Command command);

    /** Does a command, and answers at once with a future that never fails. What is attached to it must not block. */
    CompletableFuture<Outcome> submit(Command command);

    /** Sets one line aside. */
    default Outcome reserve(StockLine line, String requestId) {
        return reserve(Order.of(line), requestId);
    }

    /** Sets all lines of an order aside, or none. */
    default Outcome reserve(Order order, String requestId) {
        return execute(new Reserve(order, requestId));
    }

    /**
     * Sets all lines of an order aside, or none, in the transaction of this connection: they are reserved if the caller commits, and not if
     * the caller rolls back. It is not combined with other requests, and the rows stay locked until the end of the transaction; so call it
     * last and once, and commit at once.
     *
     * @param connection of this database, without autocommit, with READ COMMITTED
     * @return {@code Reserved}, {@code OutOfStock} or {@code Rejected}; the latter two have changed nothing
     * @throws dev.lockstep.core.InvalidRequestException if the connection is in autocommit mode, or has another isolation, or leads to an H2
     *     file; nothing was changed
     * @throws dev.lockstep.core.LockException if the rows could not be locked in time, or the database fails: the transaction must be rolled
     *     back, and may be repeated if the exception is retryable
     */
    Outcome reserve(Connection connection, Order order, String requestId);

    /** Releases what a reservation set aside. */
    default Outcome cancel(String reservationId, String requestId) {
        return execute(new Cancel(reservationId, requestId));
    }

    /** Removes from stock what a reservation set aside. */
    default Outcome ship(String reservationId, String requestId) {
        return execute(new Ship(reservationId, requestId));
    }

    /** Releases a part of what a reservation set aside; the rest stays reserved. */
    default Outcome cancel(String reservationId, List<StockLine> part, String requestId) {
        return execute(new Cancel(reservationId, part, requestId));
    }

    /** Removes from stock a part of what a reservation set aside; the rest stays reserved. */
    default Outcome ship(String reservationId, List<StockLine> part, String requestId) {
        return execute(new Ship(reservationId, part, requestId));
    }

    /** Lets a reservation that has not expired hold its stock for this long from now, by the database's clock. */
    default Outcome extend(String reservationId, Duration heldFor, String requestId) {
        return execute(new Extend(reservationId, heldFor, requestId));
    }

    /** Receives new stock. */
    default Outcome receive(StockLine line, String requestId) {
        return execute(new Receive(List.of(line), requestId));
    }

    /** Receives new stock: all lines or none, also of many SKUs at once. */
    default Outcome receive(List<StockLine> lines, String requestId) {
        return execute(new Receive(lines, requestId));
    }

    /** Corrects the physical quantity by a number, which may be negative. */
    default Outcome adjust(StockLine change, String reason, String requestId) {
        return execute(new Adjust(change, reason, requestId));
    }

    /** Sets how much of a stock is not for sale; reservations that were made before stay. */
    default Outcome setSafetyStock(StockKey key, long quantity, String reason, String requestId) {
        return execute(new SetSafetyStock(key, quantity, reason, requestId));
    }

    /**
     * Puts the books of a stock right that {@link #reconcile} has found to disagree, under the lock of its row. It writes a line to
     * the ledger that says why; what it changes there is what the ledger had wrong.
     */
    default Outcome repair(StockKey key, Remedy remedy, String reason, String requestId) {
        return execute(new Repair(key, remedy, reason, requestId));
    }

    /**
     * What a command did whose answer was lost, also in another process; nothing when it was not done. Waits for what is still on
     * its way, and does nothing itself.
     */
    Optional<Accepted> outcomeOf(Command command);

    /** A reservation, also one that has ended; nothing when there never was one of this id. */
    Optional<Reservation> reservation(String id);

    /** How much there is now; nothing when there never was any. */
    Optional<Stock> stock(StockKey key);

    /** How much there is now of several stocks, in the order of the locks; those that never were any are left out. */
    List<Stock> stock(Collection<StockKey> keys);

    /** How much there is of a SKU now, at each of its locations. */
    List<Stock> stock(String sku);

    /**
     * The ledger of a stock: its lines after the one of this number, the oldest first. Zero begins with the first line that is kept.
     *
     * @param most how many lines to return at most, 1 to 10,000
     * @throws dev.lockstep.core.InvalidRequestException if {@code most} is something else, or the key can't be one
     * @throws dev.lockstep.core.LockException if the database fails
     */
    List<LedgerEntry> ledger(StockKey key, long after, int most);

    /**
     * The last lines of a stock's ledger, the oldest first.
     *
     * @param most how many lines to return at most, 1 to 10,000
     * @throws dev.lockstep.core.InvalidRequestException if {@code most} is something else, or the key can't be one
     * @throws dev.lockstep.core.LockException if the database fails
     */
    List<LedgerEntry> lastLines(StockKey key, int most);

    /**
     * The ledgers of all stock as one feed: the lines after this position, in the order of positions. Zero begins with the first line that
     * is kept. Every committed line appears, those of one stock in the order of its changes. A line appears a second time only if its
     * stock was restored from a backup. Lines that {@link #retain} has replaced appear as their checkpoint.
     *
     * <p>A line gets its position when a caller has read all lines before it; then this locks, for a moment and only if they are free,
     * the rows of the stocks that have changed.
     *
     * @param after the position of the last line that was processed, which the caller keeps
     * @param most how many lines to return at most, 1 to 10,000; none are returned when there are no more
     * @throws dev.lockstep.core.InvalidRequestException if {@code most} is something else, or no line ever had such a position
     * @throws dev.lockstep.core.LockException if the database fails
     */
    List<LedgerChange> changes(long after, int most);

    /**
     * Compares all stock with its ledger and its open reservations, while sales continue: nothing is locked, and memory doesn't grow with
     * the tables. Each discrepancy is passed to {@code found} at once, and raised as an alert; what {@code found} throws ends it.
     */
    ReconciliationReport reconcile(Consumer<Discrepancy> found);

    /**
     * Deletes what is older than {@link InventoryBuilder#retention}: lines of the ledger, which a checkpoint line replaces for each stock,
     * and ended reservations. It runs beside sales, in small transactions; a run that was stopped is continued by the next. Needs the right
     * to delete.
     *
     * @param progress receives what was deleted so far; what it throws stops the run
     * @throws dev.lockstep.core.LockException if the database fails
     */
    RetentionReport retain(Consumer<RetentionReport> progress);

    /** Returns the stock of reservations whose time has ended, and returns how many there were. It also happens by itself. */
    int expireDue();

    /** Which stock is changed in which way at the moment, and why. */
    List<StrategyView> strategies();

    /**
     * Changes a stock in this way, in this process, until {@link #unpin}: a sale whose crowd is expected begins combined, and not with
     * conflicts. Only with {@link Strategy#ADAPTIVE}.
     *
     * @param chosen {@link Strategy#COMBINING} or {@link Strategy#OPTIMISTIC}
     * @throws dev.lockstep.core.InvalidRequestException if it is another, or the inventory is not adaptive
     */
    void pin(StockKey key, Strategy chosen);

    /** Lets the inventory choose again how a stock is changed. */
    void unpin(StockKey key);

    /** What was counted since the start. */
    InventoryFigures figures();

    /** Reports all events from now on to a listener, until the subscription is closed. */
    Locks.Subscription subscribe(InventoryListener listener);

    /** Takes no more commands, and waits for those in flight, for {@code patience} and {@code answerWithin} at most. */
    @Override
    void close();
}
