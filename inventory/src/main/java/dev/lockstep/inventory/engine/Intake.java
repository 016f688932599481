package dev.lockstep.inventory.engine;

import dev.lockstep.core.Deadline;
import dev.lockstep.inventory.Command;
import dev.lockstep.inventory.Command.Adjust;
import dev.lockstep.inventory.Command.Receive;
import dev.lockstep.inventory.Command.Repair;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Command.SetSafetyStock;
import dev.lockstep.inventory.Outcome;
import dev.lockstep.inventory.Outcome.Failed;
import dev.lockstep.inventory.Outcome.GaveUp;
import dev.lockstep.inventory.Outcome.OutOfStock;
import dev.lockstep.inventory.Outcome.Rejected;
import dev.lockstep.inventory.Outcome.TimedOut;
import dev.lockstep.inventory.Rejection;
import dev.lockstep.inventory.Shortage;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.StockLine;
import dev.lockstep.inventory.books.Book;
import dev.lockstep.inventory.books.Books;
import dev.lockstep.inventory.books.BooksQuery;
import dev.lockstep.inventory.books.CompletedRequest;
import dev.lockstep.inventory.books.Database;
import dev.lockstep.inventory.books.Hold;
import dev.lockstep.inventory.books.Keys;
import dev.lockstep.inventory.books.Payload;
import dev.lockstep.inventory.books.PendingCommand;
import dev.lockstep.inventory.books.Tables;
import dev.lockstep.inventory.sql.DatabaseFailure;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Turns commands into pending commands. A command that needs no transaction is completed here. */
final class Intake {
    /** A refusal changes nothing, so it may wait longer than a sale. */
    private static final int PAUSE_FACTOR = 8;

    private final Settings settings;
    private final Database database;
    private final SoldOut soldOut;
    private final LongAdder refusedFromMemory = new LongAdder();
    private final SharedLookup<Hold> holds;
    private final SharedLookup<CompletedRequest> completed;

    Intake(Settings settings, Database database, SoldOut soldOut, Executor lookups, Timer timer) {
        this.settings = settings;
        this.database = database;
        this.soldOut = soldOut;
        holds = new SharedLookup<>(
                ids -> database.query(
                        (tables, connection) -> current(tables, connection, ids, tables.holds(connection, ids))),
                lookups,
                settings.clock(),
                timer,
                0);
        completed = new SharedLookup<>(
                ids -> database.query((tables, connection) -> current(
                        tables, connection, ids, tables.journal(connection, ids).completed(connection, tables))),
                lookups,
                settings.clock(),
                timer,
                PAUSE_FACTOR);
    }

    /** What is missing here may exist on another server: after a failover, the former primary accepts only reads. */
    private static <V> Map<String, V> current(
            Tables tables, Connection connection, List<String> ids, Map<String, V> found) throws SQLException {
        if (!found.keySet().containsAll(ids)) {
            tables.requireWritable(connection);
        }
        return found;
    }

    /** Prepares a command; the database may have to be queried first, for the lines of a reservation. */
    PendingCommand work(Command command, Deadline deadline) {
        return make(command, deadline, id -> awaited(command, id, deadline));
    }

    /** The same without blocking this thread, except for a repair. */
    CompletableFuture<PendingCommand> workLater(Command command, Deadline deadline) {
        Optional<String> id = command.reservation();
        if (id.isEmpty() || Checks.refuse(command, settings.limits()).isPresent()) {
            return CompletableFuture.completedFuture(work(command, deadline));
        }
        return holds.askLater(id.get())
                .orTimeout(Math.max(1, deadline.remainingNanos()), TimeUnit.NANOSECONDS)
                .handle((hold, error) -> error == null
                        ? ofHold(command, id.get(), hold, deadline)
                        : answered(command, failed(command, error), deadline));
    }

    private PendingCommand make(Command command, Deadline deadline, Function<String, PendingCommand> ofReservation) {
        Optional<Rejected> refusal = Checks.refuse(command, settings.limits());
        if (refusal.isPresent()) {
            return answered(command, refusal.get(), deadline);
        }
        if (command instanceof Repair repair) {
            return ofRepair(repair, deadline);
        }
        Optional<String> reservation = command.reservation();
        return reservation.map(ofReservation).orElseGet(() -> of(command, lines(command), deadline));
    }

    private PendingCommand awaited(Command command, String id, Deadline deadline) {
        CompletableFuture<Optional<Hold>> lookup = holds.ask(id);
        try {
            return ofHold(
                    command, id, lookup.get(Math.max(1, deadline.remainingNanos()), TimeUnit.NANOSECONDS), deadline);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return answered(
                    command,
                    new GaveUp(
                            command.requestId(),
                            GaveUp.Reason.INTERRUPTED,
                            settings.retries().initial()),
                    deadline);
        } catch (ExecutionException | TimeoutException e) {
            return answered(command, failed(command, e), deadline);
        } finally {
            lookup.cancel(false); // changes nothing after an answer
        }
    }

    private Outcome failed(Command command, Throwable wrapped) {
        boolean wraps = wrapped instanceof ExecutionException || wrapped instanceof CompletionException;
        @Nullable Throwable cause = wraps ? wrapped.getCause() : null;
        Throwable error = cause == null ? wrapped : cause;
        if (error instanceof TimeoutException) {
            return new TimedOut(command.requestId(), settings.patience());
        }
        return new Failed(
                command.requestId(), error instanceof SQLException sql ? DatabaseFailure.explained(sql) : error);
    }

    private static List<StockLine> lines(Command command) {
        if (command instanceof Reserve reserve) {
            return Keys.merged(reserve.order().lines());
        }
        if (command instanceof SetSafetyStock set) {
            return List.of(new StockLine(set.key(), 0));
        }
        return command instanceof Receive receive ? Keys.merged(receive.lines()) : List.of(((Adjust) command).change());
    }

    /** A repair creates the row if it is missing, but only of a stock that the ledger or a reservation names. */
    private PendingCommand ofRepair(Repair repair, Deadline deadline) {
        try {
            Books books = database.ask((tables, connection) -> books(tables, connection, repair.key()));
            if (books.isUnknown()) {
                return answered(repair, Book.unknown(repair.requestId(), repair.key()), deadline);
            }
            List<StockLine> lines = List.of(new StockLine(repair.key(), 0));
            String hash = Payload.hash(repair, lines);
            return new PendingCommand(repair, lines, hash, settings.patience(), deadline, books.ledger());
        } catch (RuntimeException e) {
            return answered(repair, new Failed(repair.requestId(), e), deadline);
        }
    }

    private static Books books(Tables tables, Connection connection, StockKey key) throws SQLException {
        Books books = BooksQuery.of(connection, key);
        if (books.isUnknown()) {
            tables.requireWritable(connection);
        }
        return books;
    }

    /** The stocks of a reservation never change, so they can be read without a lock; its state can't. */
    private PendingCommand ofHold(Command command, String id, Optional<Hold> hold, Deadline deadline) {
        return hold.map(found -> of(command, found.lines(), deadline))
                .orElseGet(() -> answered(command, unknown(command, id), deadline));
    }

    private static Rejected unknown(Command command, String id) {
        return new Rejected(
                command.requestId(), Rejection.UNKNOWN_RESERVATION, "There is no reservation '" + id + "'.");
    }

    private PendingCommand of(Command command, List<StockLine> lines, Deadline deadline) {
        return new PendingCommand(command, lines, Payload.hash(command, lines), settings.patience(), deadline)
                .heldByDefault(settings.defaultHold());
    }

    private PendingCommand answered(Command command, Outcome outcome, Deadline deadline) {
        PendingCommand work = new PendingCommand(command, List.of(), "", settings.patience(), deadline);
        work.complete(outcome);
        return work;
    }

    /** The lines of a command for which there isn't enough, as far as is remembered. */
    List<Shortage> shortages(PendingCommand work) {
        return work.command() instanceof Reserve ? soldOut.shortages(work) : List.of();
    }

    /**
     * Completes a command as out of stock from memory, unless the same request was done before: that is looked up, without a lock. If
     * the first request is still on its way, the two happen at the same time, and this one may well have been the earlier.
     */
    void answerShort(PendingCommand work, List<Shortage> shortages) {
        answerShort(work, shortages, completed.ask(work.requestId()));
    }

    /** The same without blocking this thread. */
    void answerShortLater(PendingCommand work, List<Shortage> shortages) {
        answerShort(work, shortages, completed.askLater(work.requestId()));
    }

    private void answerShort(
            PendingCommand work, List<Shortage> shortages, CompletableFuture<Optional<CompletedRequest>> lookup) {
        var unused = lookup.handle((before, error) -> {
            work.complete(
                    error == null
                            ? before.map(done -> Book.again(work, done)).orElseGet(() -> outOfStock(work, shortages))
                            : failed(work.command(), error));
            return work;
        });
        dropWhenAnswered(work, lookup);
    }

    private Outcome outOfStock(PendingCommand work, List<Shortage> shortages) {
        refusedFromMemory.increment();
        return new OutOfStock(work.requestId(), shortages);
    }

    /** How many commands were completed as out of stock from memory. */
    long refusedFromMemory() {
        return refusedFromMemory.sum();
    }

    /** A caller that stops waiting completes its own command. */
    private static void dropWhenAnswered(PendingCommand work, CompletableFuture<Optional<CompletedRequest>> lookup) {
        var unused = work.answer().thenRun(() -> lookup.cancel(false));
    }
}
