package dev.lockstep.inventory;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import dev.lockstep.inventory.Outcome.Failed;
import java.sql.SQLException;
import java.util.List;

/** Settles commands and completes them whatever happens, except after conflicts: the strategy decides what follows. */
final class SettlementRunner {
    private final Settlement settlement;
    private final InDoubtResolver inDoubtResolver;

    SettlementRunner(Settlement settlement, InDoubtResolver inDoubtResolver) {
        this.settlement = settlement;
        this.inDoubtResolver = inDoubtResolver;
    }

    /** When it throws, commands without an outcome were not done. */
    void settle(List<PendingCommand> works, ReadMode mode) throws ConflictException, InterruptedException {
        try {
            settlement.settle(works, mode);
        } catch (InDoubtException e) {
            inDoubtResolver.resolve(e.works().isEmpty() ? works : e.works(), e);
        } catch (SQLException e) {
            handle(works, mode, e);
        } catch (RuntimeException | Error e) { // not at the commit
            fail(works, e);
        }
    }

    private void handle(List<PendingCommand> works, ReadMode mode, SQLException error)
            throws ConflictException, InterruptedException {
        switch (Fault.of(error)) {
            case CONFLICT, DUPLICATE -> throw new ConflictException("Another transaction was in the way", error);
            case INTERRUPTED -> {
                Thread.interrupted(); // the exception says it
                throw new InterruptedException(error.getMessage());
            }
            case TIMEOUT -> timeOut(works);
            case CONNECTION, READ_ONLY, MISSING_TABLE -> fail(works, explained(error));
            default -> isolate(works, mode, error);
        }
    }

    /** Of a batch, only those whose deadline has passed; the others can try again. */
    private static void timeOut(List<PendingCommand> works) throws ConflictException {
        List<PendingCommand> late = works.stream()
                .filter(work -> works.size() == 1 || work.deadline().passed())
                .toList();
        late.forEach(PendingCommand::timeOut);
        if (late.size() < works.size()) {
            throw new ConflictException("The lock was not acquired before the earliest deadline");
        }
    }

    /** One command that the database chokes on doesn't fail those beside it. */
    private void isolate(List<PendingCommand> works, ReadMode mode, SQLException error)
            throws ConflictException, InterruptedException {
        if (works.size() == 1) {
            fail(works, error);
        } else {
            int half = works.size() / 2;
            settle(works.subList(0, half), mode);
            settle(works.subList(half, works.size()), mode);
        }
    }

    private static void fail(List<PendingCommand> works, Throwable error) {
        works.forEach(work -> work.complete(new Failed(work.requestId(), error)));
    }

    /** The error, or what to do about it where that is known. */
    static Exception explained(SQLException error) {
        Fault fault = Fault.of(error);
        return fault == Fault.MISSING_TABLE || fault == Fault.READ_ONLY ? failure(error) : error;
    }

    /** What to throw where there is no outcome to return. */
    static LockException failure(Throwable error) {
        if (error instanceof LockException known) {
            return known;
        }
        Fault fault = error instanceof SQLException sql ? Fault.of(sql) : Fault.OTHER;
        boolean unavailable = fault == Fault.CONNECTION || fault == Fault.READ_ONLY;
        ErrorCode code = unavailable ? ErrorCode.STORE_UNAVAILABLE : ErrorCode.STORE_FAILED;
        return new LockException(code, message(fault, error), List.of(), error);
    }

    private static String message(Fault fault, Throwable error) {
        return switch (fault) {
            case MISSING_TABLE ->
                "The tables of the inventory are missing (" + error.getMessage()
                        + "). Call InventorySchema.on(dataSource).apply(), or let Flyway run the files under"
                        + " db/lockstep-inventory.";
            case READ_ONLY ->
                "The database of the inventory is read-only (" + error.getMessage()
                        + "). Nothing was changed, and the connection was closed. After a failover, retry: the pool"
                        + " connects to the new primary. Else let the pool connect to the primary.";
            default -> "The database of the inventory failed: " + error.getMessage();
        };
    }
}
