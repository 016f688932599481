package dev.lockstep.inventory.engine;

import dev.lockstep.core.LockClock;
import dev.lockstep.inventory.RetentionReport;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.books.Checkpoints;
import dev.lockstep.inventory.books.Checkpoints.Line;
import dev.lockstep.inventory.books.Database;
import dev.lockstep.inventory.books.LedgerWalk;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.List;
import java.util.function.Consumer;

/**
 * Deletes what is older than the retention, while sales continue: lines of the ledger, which a checkpoint replaces, and ended reservations.
 * It locks no stock, works in small transactions, and keeps no state: a run that was stopped is continued by the next one.
 */
public final class Retention {
    /** What an open request, its retries and its look-ups need at least. */
    public static final Duration SHORTEST = Duration.ofDays(1);

    private static final int PAGE = 500;
    private static final int CHUNK = 1_000;

    private final Database database;
    private final LockClock clock;
    private final Duration keep;
    private final RetriedTransactions transactions;

    Retention(Database database, LockClock clock, Duration keep) {
        this.database = database;
        this.clock = clock;
        this.keep = keep;
        transactions = new RetriedTransactions(database, clock, "The retention");
    }

    RetentionReport run(Consumer<RetentionReport> progress) {
        LocalDateTime before =
                database.ask((tables, connection) -> tables.now(connection)).minus(keep);
        Run run = new Run(before, progress);
        run.ledgers();
        run.reservations();
        return run.report();
    }

    /** One run, and what it has done. */
    private final class Run {
        private final LocalDateTime before;
        private final Consumer<RetentionReport> progress;
        private final long since = clock.nanos();
        private long stocks;
        private long lines;
        private long reservations;
        private long skipped;

        private Run(LocalDateTime before, Consumer<RetentionReport> progress) {
            this.before = before;
            this.progress = progress;
        }

        private RetentionReport report() {
            return new RetentionReport(stocks, lines, reservations, skipped, Duration.ofNanos(clock.nanos() - since));
        }

        private void ledgers() {
            StockKey from = new StockKey("", "");
            List<StockKey> page;
            do {
                StockKey last = from;
                page = database.ask((tables, connection) -> tables.keysAfter(connection, last, PAGE));
                for (StockKey key : page) {
                    ledger(key);
                    stocks++;
                    from = key;
                }
                progress.accept(report());
            } while (page.size() == PAGE);
        }

        /** Goes through the old lines of a stock, and replaces them wherever they add up. */
        private void ledger(StockKey key) {
            LedgerWalk walk = new LedgerWalk(before);
            List<Line> next;
            do {
                long after = walk.last();
                next = database.ask((tables, connection) -> Checkpoints.lines(connection, key, after, CHUNK));
                next.forEach(walk::add);
                if (walk.isReplaceable()) {
                    long checkpoint = walk.checkpoint();
                    lines += transactions.commit(
                            (tables, connection) -> Checkpoints.replace(connection, key, checkpoint));
                    walk.replaced();
                    progress.accept(report());
                }
            } while (next.size() == CHUNK && !walk.isOver());
            skipped += walk.isUnsound() ? 1 : 0;
        }

        private void reservations() {
            String from = "";
            List<String> ids;
            do {
                String last = from;
                ids = database.ask((tables, connection) -> Checkpoints.ended(connection, last, before, PAGE));
                if (!ids.isEmpty()) {
                    List<String> ended = ids;
                    reservations += transactions.commit(
                            (tables, connection) -> Checkpoints.deleteEnded(connection, ended, before));
                    from = ids.get(ids.size() - 1);
                    progress.accept(report());
                }
            } while (ids.size() == PAGE);
        }
    }
}
