package dev.lockstep.inventory;

import dev.lockstep.core.LockClock;
import dev.lockstep.inventory.Command.Receive;
import dev.lockstep.inventory.Outcome.OutOfStock;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * One transaction: reads the rows of some works, decides in memory what becomes of each, writes all of it, commits, and only then
 * answers. All strategies end here; they differ in how rows are read and in how many works come together.
 */
final class Settlement {
    private final Database database;
    private final LockClock clock;
    private final Watch watch;

    Settlement(Database database, LockClock clock, Watch watch) {
        this.database = database;
        this.clock = clock;
        this.watch = watch;
    }

    /** Answers all works, or none when it throws: then nothing was done, unless it is in doubt. */
    void settle(List<Work> works, Reading reading) throws SQLException, ConflictException, InDoubtException {
        List<StockKey> keys = Keys.of(works);
        List<StockKey> missing = attempt(works, keys, reading);
        if (!missing.isEmpty()) {
            create(missing);
            if (!attempt(works, keys, reading).isEmpty()) {
                throw new ConflictException("Someone deletes rows of " + missing);
            }
        }
    }

    /** Answers the works, or else the rows that are missing to receive what is new. */
    private List<StockKey> attempt(List<Work> works, List<StockKey> keys, Reading reading)
            throws SQLException, ConflictException, InDoubtException {
        try (Session session = database.begin()) {
            Tables tables = database.tables(session);
            Connection connection = session.connection();
            Map<StockKey, StockRow> rows = tables.read(connection, keys, reading);
            List<StockKey> missing = missing(works, rows);
            if (missing.isEmpty()) {
                long since = clock.nanos();
                Book book = tables.open(connection, works, rows);
                List<Outcome> outcomes = works.stream().map(book::apply).toList();
                if (!reading.locks()) {
                    recheck(tables, connection, outcomes, rows);
                    since = clock.nanos();
                }
                if (book.isChanged()) {
                    tables.write(connection, book);
                    session.commit();
                    watch.committed(keys, book, Duration.ofNanos(clock.nanos() - since));
                }
                answer(works, outcomes, book);
            }
            return missing;
        }
    }

    private void answer(List<Work> works, List<Outcome> outcomes, Book book) {
        watch.saw(book.rows());
        for (int i = 0; i < works.size(); i++) {
            works.get(i).complete(outcomes.get(i));
        }
    }

    private static List<StockKey> missing(List<Work> works, Map<StockKey, StockRow> rows) {
        return works.stream()
                .filter(work -> work.command() instanceof Receive)
                .flatMap(work -> work.lines().stream())
                .map(StockLine::key)
                .filter(key -> !rows.containsKey(key))
                .distinct()
                .toList();
    }

    /**
     * In a transaction of its own, so that whoever is in doubt about a later one finds a row to lock: an insert that isn't
     * committed yet can't be waited for.
     */
    private void create(List<StockKey> keys) throws SQLException, ConflictException, InDoubtException {
        for (StockKey key : keys) {
            try (Session session = database.begin()) {
                database.tables(session).insertRow(session.connection(), key);
                session.commit();
            } catch (SQLException e) {
                if (Fault.of(e) != Fault.CONFLICT) {
                    throw e;
                }
            }
        }
    }

    /** Someone may have brought what is missing since it was read. Then it was a conflict, and not sold out. */
    private static void recheck(
            Tables tables, Connection connection, List<Outcome> outcomes, Map<StockKey, StockRow> rows)
            throws SQLException, ConflictException {
        List<StockKey> lacking = new ArrayList<>();
        for (Outcome outcome : outcomes) {
            if (outcome instanceof OutOfStock out) {
                out.shortages().forEach(shortage -> lacking.add(shortage.key()));
            }
        }
        for (StockRow again :
                tables.read(connection, Keys.sorted(lacking), Reading.PLAIN).values()) {
            Stock before = Objects.requireNonNull(rows.get(again.key())).before();
            if (!again.before().equals(before)) {
                throw new ConflictException(again.key() + " was changed in between");
            }
        }
    }
}
