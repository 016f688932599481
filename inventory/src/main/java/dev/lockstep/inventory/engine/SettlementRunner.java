package dev.lockstep.inventory.engine;

import dev.lockstep.inventory.Outcome.Failed;
import dev.lockstep.inventory.books.PendingCommand;
import dev.lockstep.inventory.books.ReadMode;
import dev.lockstep.inventory.sql.CommitInDoubtException;
import dev.lockstep.inventory.sql.ConflictException;
import dev.lockstep.inventory.sql.DatabaseFailure;
import dev.lockstep.inventory.sql.Fault;
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
            inDoubtResolver.resolve(e.works(), e);
        } catch (CommitInDoubtException e) { // of rows that were to be created
            inDoubtResolver.resolve(works, e);
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
            case TIMEOUT -> timeOut(works, mode);
            case CONNECTION, READ_ONLY, MISSING_TABLE -> fail(works, DatabaseFailure.explained(error));
            default -> isolate(works, mode, error);
        }
    }

    /** Of a batch, only those whose deadline has passed; the others can try again. */
    private static void timeOut(List<PendingCommand> works, ReadMode mode) throws ConflictException {
        List<PendingCommand> late = works.stream()
                .filter(work ->
                        (works.size() == 1 && !mode.brief()) || work.deadline().passed())
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
}
