package dev.lockstep.inventory.engine;

import dev.lockstep.core.LockClock;
import dev.lockstep.inventory.Command.Receive;
import dev.lockstep.inventory.Command.Repair;
import dev.lockstep.inventory.Discrepancy.StockFault;
import dev.lockstep.inventory.InventoryEvent.BooksDisagree;
import dev.lockstep.inventory.Outcome;
import dev.lockstep.inventory.Outcome.Accepted;
import dev.lockstep.inventory.Outcome.OutOfStock;
import dev.lockstep.inventory.Outcome.Rejected;
import dev.lockstep.inventory.Rejection;
import dev.lockstep.inventory.Stock;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.StockLine;
import dev.lockstep.inventory.books.Book;
import dev.lockstep.inventory.books.CompletedRequest;
import dev.lockstep.inventory.books.Database;
import dev.lockstep.inventory.books.IdempotencyCheck;
import dev.lockstep.inventory.books.Keys;
import dev.lockstep.inventory.books.PendingCommand;
import dev.lockstep.inventory.books.ReadMode;
import dev.lockstep.inventory.books.StockRow;
import dev.lockstep.inventory.books.Tables;
import dev.lockstep.inventory.sql.CommitInDoubtException;
import dev.lockstep.inventory.sql.ConflictException;
import dev.lockstep.inventory.sql.Fault;
import dev.lockstep.inventory.sql.Session;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One transaction: reads the rows of some commands, decides in memory what becomes of each, writes all of it, commits, and only then
 * answers. All strategies end here; they differ in how rows are read and in how many commands come together.
 */
final class Settlement {
    /** For this long after a request came again, others are expected to. */
    private static final long WARY = TimeUnit.SECONDS.toNanos(1);

    /** Another process may create the same rows at the same time. */
    private static final int CREATE_TRIES = 5;

    private final Database database;
    private final LockClock clock;
    private final InventoryMonitor monitor;
    private final Contention contention;
    private volatile long waryUntil;

    Settlement(Database database, LockClock clock, InventoryMonitor monitor, Contention contention) {
        this.contention = contention;
        waryUntil = clock.nanos();
        this.database = database;
        this.clock = clock;
        this.monitor = monitor;
    }

    /**
     * Completes all commands, or none when it throws: then nothing was done, unless it is in doubt. Where rows that are locked are skipped,
     * the commands that need them are not begun, and have no outcome.
     */
    void settle(List<PendingCommand> all, ReadMode mode)
            throws SQLException, ConflictException, CommitInDoubtException {
        List<PendingCommand> works = all.stream().filter(PendingCommand::isOpen).toList();
        if (works.isEmpty()) {
            return;
        }
        IdempotencyCheck check =
                waryUntil - clock.nanos() > 0 ? IdempotencyCheck.BY_LOOKUP : IdempotencyCheck.BY_UNIQUE_INDEX;
        try {
            attempt(works, mode, check);
        } catch (SQLException e) {
            if (Fault.of(e) != Fault.DUPLICATE) {
                throw e;
            }
            waryUntil = clock.nanos() + WARY;
            List<PendingCommand> left = rejectBehindLedger(works);
            if (!left.isEmpty()) {
                attempt(left, mode, IdempotencyCheck.BY_LOOKUP);
            }
        }
    }

    /**
     * A row that was restored from a backup has a version below that of its ledger's last line, and each change of it collides with a
     * line that exists. Rejects new requests that need such a row, and returns the other commands. A request that was done before the
     * restore still returns its first outcome.
     */
    private List<PendingCommand> rejectBehindLedger(List<PendingCommand> works) throws SQLException {
        Behind behind = database.query((tables, connection) -> Behind.of(tables, connection, works));
        behind.faults().values().forEach(fault -> monitor.alert(new BooksDisagree(monitor.now(), fault)));
        List<PendingCommand> left = new ArrayList<>();
        for (PendingCommand work : works) {
            behind.outcome(work).ifPresentOrElse(work::complete, () -> left.add(work));
        }
        return left;
    }

    /** The rows of some commands that are behind their ledger, and those of the commands that were done before. */
    private record Behind(Map<StockKey, StockFault> faults, Map<String, CompletedRequest> completed) {
        static Behind of(Tables tables, Connection connection, List<PendingCommand> works) throws SQLException {
            Map<StockKey, StockFault> faults = tables.behindLedger(connection, Keys.of(works));
            Map<String, CompletedRequest> completed = faults.isEmpty()
                    ? Map.of()
                    : tables.journal(connection, PendingCommand.requestIds(works))
                            .completed(connection, tables);
            return new Behind(faults, completed);
        }

        /** The outcome of a command that needs such a row; empty for the others, and for a repair. */
        Optional<Outcome> outcome(PendingCommand work) {
            if (work.command() instanceof Repair) {
                return Optional.empty();
            }
            return work.lines().stream()
                    .map(line -> faults.get(line.key()))
                    .filter(Objects::nonNull)
                    .findFirst()
                    .map(fault -> outcome(work, fault));
        }

        private Outcome outcome(PendingCommand work, StockFault fault) {
            @Nullable CompletedRequest before = completed.get(work.requestId());
            return before != null
                    ? Book.again(work, before)
                    : new Rejected(work.requestId(), Rejection.BOOKS_DISAGREE, fault.what() + " " + fault.advice());
        }
    }

    private void attempt(List<PendingCommand> works, ReadMode mode, IdempotencyCheck check)
            throws SQLException, ConflictException, CommitInDoubtException {
        List<StockKey> keys = Keys.of(works);
        try {
            decide(works, keys, mode, check).complete();
        } catch (MissingRowsException e) {
            create(e.keys());
            decideWithRows(works, keys, mode, check).complete();
        }
    }

    private Settled decideWithRows(
            List<PendingCommand> works, List<StockKey> keys, ReadMode mode, IdempotencyCheck check)
            throws SQLException, ConflictException, CommitInDoubtException {
        try {
            return decide(works, keys, mode, check);
        } catch (MissingRowsException e) {
            throw new ConflictException("Another transaction deletes rows of " + e.keys(), e);
        }
    }

    /** Does what is to be done for the commands. */
    private Settled decide(List<PendingCommand> works, List<StockKey> keys, ReadMode mode, IdempotencyCheck check)
            throws SQLException, ConflictException, CommitInDoubtException, MissingRowsException {
        Settled settled;
        long began = clock.nanos();
        try (Session session = database.begin()) {
            settled = decideOn(session, works, keys, mode, check);
        }
        if (settled.book().isChanged()) {
            contention.committed(settled.book().rows(), began);
        }
        settled.report(monitor, mode.skips() ? Keys.of(settled.works()) : keys);
        return settled;
    }

    private Settled decideOn(
            Session session, List<PendingCommand> works, List<StockKey> keys, ReadMode mode, IdempotencyCheck check)
            throws SQLException, ConflictException, CommitInDoubtException, MissingRowsException {
        try {
            return decide(session, works, keys, mode, check);
        } catch (SQLException e) {
            session.discardIfReadOnly(e);
            throw e;
        }
    }

    private Settled decide(
            Session session, List<PendingCommand> all, List<StockKey> keys, ReadMode wanted, IdempotencyCheck check)
            throws SQLException, ConflictException, CommitInDoubtException, MissingRowsException {
        Tables tables = database.tables(session);
        Connection connection = session.connection();
        ReadMode mode = wanted.skips() && !tables.canSkip() ? ReadMode.locked(PerStock.earliest(all)) : wanted;
        long before = clock.nanos();
        Map<StockKey, StockRow> rows = tables.read(connection, keys, mode);
        long readAt = mode.locks() ? clock.nanos() : before;
        Skipped skipped = mode.skips() ? Skipped.of(tables, connection, all, keys, rows) : Skipped.NONE;
        boolean creates = mode.first().isPresent() || !mode.skips();
        List<PendingCommand> works = all.stream()
                .filter(work -> !skipped.has(work) && (creates || !makesRows(work) || !lacks(work, rows)))
                .toList();
        requireRows(tables, connection, works, rows);
        Book book = tables.open(connection, works, rows, check);
        List<Outcome> outcomes = new ArrayList<>(works.size());
        works.forEach(work -> outcomes.add(book.apply(work)));
        if (check == IdempotencyCheck.BY_UNIQUE_INDEX) {
            lookUpRefused(tables, connection, works, outcomes);
        }
        if (!mode.locks()) {
            recheck(tables, connection, outcomes, rows);
        }
        if (!book.isChanged()) {
            if (outcomes.stream().anyMatch(outcome -> !(outcome instanceof Accepted))) {
                tables.requireWritable(connection);
            }
            return new Settled(works, outcomes, skipped, book, readAt, Duration.ZERO);
        }
        tables.write(connection, book, mode);
        long lockedSince =
                mode.locks() ? readAt : clock.nanos(); // without a lock, the update may have waited for the row
        requireCallers(works);
        commit(session, works);
        return new Settled(works, outcomes, skipped, book, readAt, Duration.ofNanos(clock.nanos() - lockedSince));
    }

    private static void commit(Session session, List<PendingCommand> works) throws InDoubtException, ConflictException {
        try {
            session.commit();
        } catch (CommitInDoubtException e) {
            throw new InDoubtException(e, works);
        }
    }

    /**
     * The result of a transaction. It is reported after the connection is closed: logging is code of the application, and no row stays
     * locked while that runs.
     *
     * @param locked how long the rows were locked until the commit; zero without one
     */
    private record Settled(
            List<PendingCommand> works,
            List<Outcome> outcomes,
            Skipped skipped,
            Book book,
            long readAt,
            Duration locked) {
        void complete() {
            skipped.rows().forEach(PendingCommand::skipped);
            for (int i = 0; i < works.size(); i++) {
                works.get(i).complete(outcomes.get(i));
            }
        }

        void report(InventoryMonitor monitor, List<StockKey> keys) {
            if (book.isChanged()) {
                monitor.committed(keys, book, locked);
            }
            monitor.saw(book.rows(), readAt);
        }
    }

    /** The caller of a request reported as Unknown may have repeated it since, so it must not be committed later. */
    private static void requireCallers(List<PendingCommand> works) throws ConflictException {
        if (!works.stream().allMatch(PendingCommand::isOpen)) {
            throw new ConflictException("A caller did not wait for its outcome");
        }
    }

    /** A request that is refused now may have been executed before. It changes nothing either way, so the others' outcomes stand. */
    private static void lookUpRefused(
            Tables tables, Connection connection, List<PendingCommand> works, List<Outcome> outcomes)
            throws SQLException {
        List<PendingCommand> refused = new ArrayList<>();
        for (int i = 0; i < works.size(); i++) {
            if (!(outcomes.get(i) instanceof Accepted)) {
                refused.add(works.get(i));
            }
        }
        if (refused.isEmpty()) {
            return;
        }
        Map<String, CompletedRequest> completed =
                tables.journal(connection, PendingCommand.requestIds(refused)).completed(connection, tables);
        for (int i = 0; i < works.size(); i++) {
            @Nullable CompletedRequest before = completed.get(works.get(i).requestId());
            if (before != null && !(outcomes.get(i) instanceof Accepted)) {
                outcomes.set(i, Book.again(works.get(i), before));
            }
        }
    }

    /** Asks for the rows that are needed to receive what is new. A request id that was used before is refused, and gets no row. */
    private static void requireRows(
            Tables tables, Connection connection, List<PendingCommand> works, Map<StockKey, StockRow> rows)
            throws SQLException, MissingRowsException {
        List<PendingCommand> lacking = works.stream()
                .filter(work -> makesRows(work) && lacks(work, rows))
                .toList();
        if (lacking.isEmpty()) {
            return;
        }
        Map<String, CompletedRequest> completed =
                tables.journal(connection, PendingCommand.requestIds(lacking)).completed(connection, tables);
        List<StockKey> missing = lacking.stream()
                .filter(work -> !(work.command() instanceof Receive && completed.containsKey(work.requestId())))
                .flatMap(work -> work.lines().stream())
                .map(StockLine::key)
                .filter(key -> !rows.containsKey(key))
                .distinct()
                .toList();
        if (!missing.isEmpty()) {
            throw new MissingRowsException(missing);
        }
    }

    private static boolean makesRows(PendingCommand work) {
        return work.command() instanceof Receive || work.command() instanceof Repair;
    }

    private static boolean lacks(PendingCommand work, Map<StockKey, StockRow> rows) {
        return work.lines().stream().anyMatch(line -> !rows.containsKey(line.key()));
    }

    /**
     * In its own transaction, so that a look-up of a later one finds a row to lock: an insert that isn't
     * committed yet can't be waited for.
     */
    private void create(List<StockKey> keys) throws SQLException, ConflictException, CommitInDoubtException {
        for (int left = CREATE_TRIES - 1; ; left--) {
            try (Session session = database.begin()) {
                Tables tables = database.tables(session);
                session.run(connection -> tables.insertMissingRows(connection, Keys.sorted(keys)));
                session.commit();
                return;
            } catch (SQLException e) {
                Fault fault = Fault.of(e);
                if ((fault != Fault.DUPLICATE && fault != Fault.CONFLICT) || left == 0) {
                    throw e;
                }
            }
        }
    }

    /** Stock may have been added since it was read. Then it was a conflict, and not sold out. */
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
                tables.read(connection, Keys.sorted(lacking), ReadMode.PLAIN).values()) {
            Stock before = Objects.requireNonNull(rows.get(again.key())).before();
            if (!again.before().equals(before)) {
                throw new ConflictException(again.key() + " was changed in between");
            }
        }
    }
}
