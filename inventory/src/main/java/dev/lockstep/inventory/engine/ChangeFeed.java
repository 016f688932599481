package dev.lockstep.inventory.engine;

import dev.lockstep.core.Deadline;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockClock;
import dev.lockstep.inventory.LedgerChange;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.books.ChangeRows;
import dev.lockstep.inventory.books.ChangeRows.Range;
import dev.lockstep.inventory.books.Database;
import dev.lockstep.inventory.books.ReadMode;
import dev.lockstep.inventory.books.StockRow;
import dev.lockstep.inventory.books.Tables;
import dev.lockstep.inventory.sql.CommitInDoubtException;
import dev.lockstep.inventory.sql.ConflictException;
import dev.lockstep.inventory.sql.DatabaseFailure;
import dev.lockstep.inventory.sql.Fault;
import dev.lockstep.inventory.sql.Session;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ledgers of all stock as one feed.
 *
 * <p>Why no committed line is ever left out: a number that is drawn by the transaction that writes a line becomes visible in another order
 * than it was drawn, and a reader that has seen 12 may never see 11. So positions are given afterwards, and only to lines that
 * are committed. Each transaction that writes lines also marks the row of its stock, in the same UPDATE. To give positions, a transaction
 * locks the row of the feed, so that there is one at a time until it is committed; locks the marked rows; gives the next positions
 * to the lines between what the row says is published and its version; and clears the marks. Under the lock of its row, a stock has no line
 * that isn't committed, and a line that comes later marks it again. A reader that sees a position sees all lower ones, because
 * they were committed before it was given.
 *
 * <p>The transactions of sales do nothing for it beyond the mark, and without a reader nothing else happens.
 */
final class ChangeFeed {
    private static final Logger LOG = LoggerFactory.getLogger(ChangeFeed.class);

    /** How many rows are locked at once, for the time of a few statements. */
    private static final int STOCKS_AT_ONCE = 64;

    private static final Duration PATIENCE_FOR_ROWS = Duration.ofSeconds(1);

    private final Database database;
    private final LockClock clock;
    private final Duration patience;
    private final RetriedTransactions transactions;

    ChangeFeed(Database database, LockClock clock, Duration patience) {
        this.database = database;
        this.clock = clock;
        this.patience = patience;
        transactions = new RetriedTransactions(database, clock, "The feed of changes");
    }

    List<LedgerChange> after(long position, int most) {
        if (position < 0) {
            requireGiven(position);
        }
        List<LedgerChange> changes = read(position, most);
        if (!changes.isEmpty()) {
            return changes;
        }
        publish();
        changes = read(position, most);
        if (changes.isEmpty()) {
            requireGiven(position);
        }
        return changes;
    }

    private List<LedgerChange> read(long position, int most) {
        return database.ask((tables, connection) -> ChangeRows.after(tables, connection, position, most));
    }

    private void requireGiven(long position) {
        long last = database.ask((tables, connection) -> ChangeRows.position(connection));
        if (position < 0 || position > last) {
            throw new InvalidRequestException("The position must be between 0 and " + last
                    + ", the last one of this database, but was " + position
                    + ". If the database was restored from a backup, begin again with 0.");
        }
    }

    /** Gives positions to lines that have none. Rows that others have locked come last, and are waited for one by one, not for long. */
    private void publish() {
        List<StockKey> locked = new ArrayList<>();
        List<StockKey> next;
        StockKey from = new StockKey("", "");
        do {
            StockKey start = from;
            next = database.ask(
                    (tables, connection) -> ChangeRows.unpublished(tables, connection, start, STOCKS_AT_ONCE));
            if (!next.isEmpty()) {
                List<StockKey> keys = next;
                locked.addAll(transactions.commit((tables, connection) -> publish(tables, connection, keys)));
                from = next.get(next.size() - 1);
            }
        } while (next.size() == STOCKS_AT_ONCE);
        Collections.shuffle(locked); // one that stays locked doesn't always come first
        Deadline end = Deadline.in(PATIENCE_FOR_ROWS, clock);
        for (StockKey key : locked) {
            if (end.passed()) {
                return; // the next call tries again
            }
            publishLocked(key);
        }
    }

    /** Publishes those of some stocks whose rows are not locked; returns the others. */
    private List<StockKey> publish(Tables tables, Connection connection, List<StockKey> keys) throws SQLException {
        if (!tables.canSkip()) {
            return keys;
        }
        long position = lockedPosition(tables, connection);
        Map<StockKey, StockRow> rows = tables.read(connection, keys, ReadMode.SKIPPING);
        publish(connection, position, rows);
        return keys.stream().filter(key -> !rows.containsKey(key)).toList();
    }

    private void publishLocked(StockKey key) {
        try (Session session = database.begin()) {
            session.run(connection -> {
                Tables tables = database.tables(session);
                long position = lockedPosition(tables, connection);
                publish(connection, position, tables.read(connection, List.of(key), ReadMode.lockedBriefly()));
                return key;
            });
            session.commit();
        } catch (ConflictException | CommitInDoubtException e) { // the next call sees what became of it
            LOG.debug("{} has no positions yet", key, e);
        } catch (SQLException e) {
            Fault fault = Fault.of(e);
            if (fault != Fault.TIMEOUT && fault != Fault.CONFLICT) {
                throw DatabaseFailure.of(e);
            }
        }
    }

    private long lockedPosition(Tables tables, Connection connection) throws SQLException {
        int seconds = (int) Math.max(1, patience.toSeconds());
        return ChangeRows.lockedPosition(tables, connection, seconds);
    }

    private static void publish(Connection connection, long last, Map<StockKey, StockRow> rows) throws SQLException {
        if (rows.isEmpty()) {
            return;
        }
        Map<StockKey, Long> published = ChangeRows.published(connection, List.copyOf(rows.keySet()));
        Map<StockKey, Long> versions = new LinkedHashMap<>();
        List<Range> ranges = new ArrayList<>();
        long position = last;
        for (StockRow row : rows.values()) {
            long version = row.before().version();
            long before = published.getOrDefault(row.key(), 0L);
            versions.put(row.key(), version);
            if (version > before) {
                position += version - before;
                ranges.add(new Range(position, row.key(), before + 1, version));
            }
        }
        if (!ranges.isEmpty()) {
            ChangeRows.insert(connection, ranges);
            ChangeRows.setPosition(connection, position);
        }
        ChangeRows.markPublished(connection, versions);
    }
}
