package dev.lockstep.inventory.engine;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockException;
import dev.lockstep.inventory.Outcome;
import dev.lockstep.inventory.Outcome.Accepted;
import dev.lockstep.inventory.Outcome.Failed;
import dev.lockstep.inventory.Outcome.GaveUp;
import dev.lockstep.inventory.Outcome.GaveUp.Reason;
import dev.lockstep.inventory.Outcome.Rejected;
import dev.lockstep.inventory.Rejection;
import dev.lockstep.inventory.books.CompletedRequest;
import dev.lockstep.inventory.books.PendingCommand;
import dev.lockstep.inventory.sql.DatabaseFailure;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds out what a command did, without doing it. */
final class OutcomeLookup {
    private OutcomeLookup() {}

    static Optional<Accepted> of(PendingCommand work, InDoubtResolver inDoubtResolver) {
        if (work.answer().isDone()) {
            return nothing(work.answer().join());
        }
        try {
            @Nullable
            CompletedRequest completed = inDoubtResolver.lookUp(List.of(work)).get(work.requestId());
            return completed != null && completed.hash().equals(work.hash())
                    ? Optional.of(completed.outcome())
                    : Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LockException(ErrorCode.INTERRUPTED, "Interrupted while looking a request up", List.of(), e);
        } catch (SQLException e) {
            throw DatabaseFailure.of(e);
        } catch (Exception e) {
            throw new LockException(ErrorCode.STORE_FAILED, "The request could not be looked up", List.of(), e);
        }
    }

    /** Of a command that can't have been done, or can't be looked up. */
    private static Optional<Accepted> nothing(Outcome outcome) {
        if (outcome instanceof Rejected rejected) {
            if (rejected.why() == Rejection.UNKNOWN_RESERVATION) {
                return Optional.empty();
            }
            throw new InvalidRequestException(rejected.detail());
        }
        throw notLookedUp(outcome);
    }

    /** Why the reservation of a command could not be looked up. */
    private static LockException notLookedUp(Outcome outcome) {
        if (outcome instanceof Failed failed) {
            return DatabaseFailure.of(failed.cause());
        }
        if (outcome instanceof GaveUp gaveUp && gaveUp.reason() == Reason.INTERRUPTED) {
            return new LockException(ErrorCode.INTERRUPTED, "Interrupted while looking a request up", List.of(), null);
        }
        return new LockException(
                ErrorCode.STORE_UNAVAILABLE, "The request could not be looked up: " + outcome, List.of(), null);
    }
}
