package dev.lockstep.inventory;

import dev.lockstep.core.Deadline;
import dev.lockstep.inventory.Command.Adjust;
import dev.lockstep.inventory.Command.Receive;
import dev.lockstep.inventory.Command.Repair;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Outcome.Failed;
import dev.lockstep.inventory.Outcome.OutOfStock;
import dev.lockstep.inventory.Outcome.Rejected;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes works of commands. A command that needs no transaction to be answered becomes a work with an answer. */
final class Intake {
    private final Settings settings;
    private final Database database;
    private final SoldOut soldOut;

    Intake(Settings settings, Database database, SoldOut soldOut) {
        this.settings = settings;
        this.database = database;
        this.soldOut = soldOut;
    }

    /** The work of a command that came so long before its deadline; the database may have to be asked for the lines of a reservation. */
    Work work(Command command, Deadline deadline) {
        Optional<Rejected> refusal = Checks.refuse(command, settings.limits());
        if (refusal.isPresent()) {
            return answered(command, refusal.get(), deadline);
        }
        if (command instanceof Repair repair) {
            return ofRepair(repair, deadline);
        }
        Optional<String> reservation = command.reservation();
        return reservation.isPresent()
                ? ofReservation(command, reservation.get(), deadline)
                : of(command, lines(command), deadline);
    }

    private static List<StockLine> lines(Command command) {
        if (command instanceof Reserve reserve) {
            return Keys.merged(reserve.order().lines());
        }
        return command instanceof Receive receive ? Keys.merged(receive.lines()) : List.of(((Adjust) command).change());
    }

    /** Whether the database is asked before a work can be made. */
    static boolean asks(Command command) {
        return command instanceof Repair || command.reservation().isPresent();
    }

    /** A repair makes the row if it is missing; but not of something that nobody has ever heard of. */
    private Work ofRepair(Repair repair, Deadline deadline) {
        try {
            boolean unknown = database.ask((tables, connection) ->
                    BooksQuery.of(connection, repair.key()).isUnknown());
            return unknown
                    ? answered(repair, Book.unknown(repair.requestId(), repair.key()), deadline)
                    : of(repair, List.of(new StockLine(repair.key(), 0)), deadline);
        } catch (RuntimeException e) {
            return answered(repair, new Failed(repair.requestId(), e), deadline);
        }
    }

    /** The lines of a reservation never change, so they can be read without a lock; its state can't. */
    private Work ofReservation(Command command, String id, Deadline deadline) {
        try (Session session = database.begin()) {
            Optional<Hold> hold = database.tables(session).hold(session.connection(), id);
            return hold.map(found -> of(command, found.lines(), deadline))
                    .orElseGet(() -> answered(command, unknown(command, id), deadline));
        } catch (SQLException e) {
            return answered(command, new Failed(command.requestId(), Clerk.explained(e)), deadline);
        } catch (RuntimeException e) {
            return answered(command, new Failed(command.requestId(), e), deadline);
        }
    }

    private static Rejected unknown(Command command, String id) {
        return new Rejected(
                command.requestId(), Rejection.UNKNOWN_RESERVATION, "There is no reservation '" + id + "'.");
    }

    private Work of(Command command, List<StockLine> lines, Deadline deadline) {
        return new Work(command, lines, Payload.hash(command, lines), settings.patience(), deadline);
    }

    private Work answered(Command command, Outcome outcome, Deadline deadline) {
        Work work = new Work(command, List.of(), "", settings.patience(), deadline);
        work.complete(outcome);
        return work;
    }

    /** Of what there isn't enough for a work, as far as is remembered. */
    List<Shortage> shortages(Work work) {
        return work.command() instanceof Reserve ? soldOut.shortages(work) : List.of();
    }

    /**
     * Answers from memory that there isn't enough, unless the same request was done before: that is looked up, without a lock. If
     * the first request is still on its way, the two happen at the same time, and this one may well have been the earlier.
     */
    void answerShort(Work work, List<Shortage> shortages) {
        try (Session session = database.begin()) {
            Tables tables = database.tables(session);
            @Nullable
            Past past = tables.journal(session.connection(), List.of(work))
                    .past(session.connection(), tables)
                    .get(work.requestId());
            work.complete(past == null ? new OutOfStock(work.requestId(), shortages) : Book.again(work, past));
        } catch (SQLException e) {
            work.complete(new Failed(work.requestId(), Clerk.explained(e)));
        } catch (RuntimeException e) {
            work.complete(new Failed(work.requestId(), e));
        }
    }
}
