package dev.lockstep.inventory;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Something that happened in an inventory. Listeners, meters and the live page all read this one stream. */
public sealed interface InventoryEvent {
    /** When it happened, by this machine's wall clock. */
    Instant at();

    /** A command was answered. */
    record Answered(Instant at, Command command, Outcome outcome, Duration took) implements InventoryEvent {}

    /** A transaction was committed, with this many commands in it that changed something. */
    record Committed(Instant at, List<StockKey> keys, int commands, Duration locked) implements InventoryEvent {}

    /** A stock is changed in another way from now on. */
    record StrategyChanged(Instant at, StockKey key, Strategy from, Strategy to, String why)
            implements InventoryEvent {}

    /** A listener was too slow, and missed this many events since the last such notice. */
    record Dropped(Instant at, long count) implements InventoryEvent {}

    /** Something that a person should look at. It is also logged, but for the same thing not more often than every 10 seconds. */
    sealed interface Alert extends InventoryEvent {
        /** What is wrong, where, and what to do about it. */
        default String message() {
            return AlertTexts.of(this);
        }
    }

    /** There is less than nothing of something, or more reserved than there is. */
    record NegativeStock(Instant at, Stock stock) implements Alert {}

    /** More than a tenth of the attempts to change a stock met others. */
    record ConflictRateHigh(Instant at, StockKey key, double rate, long attempts) implements Alert {}

    /** More than a tenth of the attempts to change stock met others, over all stock with too few attempts for its own rate. */
    record OverallConflictRateHigh(Instant at, double rate, long attempts) implements Alert {}

    /**
     * A command was called inside a transaction on the same DataSource, and needs a second connection. Emitted at most every 10
     * seconds; the figures count all.
     */
    record CalledInTransaction(Instant at, Command command) implements Alert {}

    /** Rows were locked for longer than they should be. */
    record LockHeldLong(Instant at, List<StockKey> keys, Duration held) implements Alert {}

    /** A reservation's time is long over, and its stock was not returned. */
    record HoldOverdue(Instant at, String reservationId, Instant expiredAt) implements Alert {}

    /**
     * A stock is not what its ledger and its reservations say. Emitted at most every 10 seconds for the same fault; the figures count
     * all.
     */
    record BooksDisagree(Instant at, Discrepancy discrepancy) implements Alert {}
}
