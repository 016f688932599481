package dev.lockstep.inventory;

import dev.lockstep.inventory.sql.DatabaseFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What became of a command. */
public sealed interface Outcome {
    /** The id of the request that this answers. */
    String requestId();

    /** The text for the person who waits for it: in Japanese, Korean, or else English. */
    default String message(Locale locale) {
        return Texts.in(locale).of(this);
    }

    /** It was done, now or when it was first asked for. Nothing of it will be lost. */
    sealed interface Accepted extends Outcome {
        /** What it changed, in the order of the locks. */
        List<Change> changes();
    }

    /** The stock is set aside; the reservation's id is the request's. */
    record Reserved(String id, List<Change> changes, Optional<Instant> expiresAt) implements Accepted {
        @Override
        public String requestId() {
            return id;
        }
    }

    /** The reservation's stock was returned. */
    record Cancelled(String requestId, String reservationId, List<Change> changes) implements Accepted {}

    /** The reservation's stock has left. */
    record Shipped(String requestId, String reservationId, List<Change> changes) implements Accepted {}

    /** The reservation holds its stock until then, by the database's clock. */
    record Extended(String requestId, String reservationId, List<Change> changes, Instant expiresAt)
            implements Accepted {}

    /** The stock has come. */
    record Received(String requestId, List<Change> changes) implements Accepted {}

    /** The stock was corrected. */
    record Adjusted(String requestId, List<Change> changes) implements Accepted {}

    /** The safety stock is set. */
    record SafetyStockSet(String requestId, List<Change> changes) implements Accepted {}

    /** The books agree again. The change is the ledger's: nothing if it was right. */
    record Repaired(String requestId, List<Change> changes) implements Accepted {}

    /** The reservation's time had ended, and its stock was returned. */
    record Expired(String requestId, String reservationId, List<Change> changes) implements Accepted {}

    /** There is not enough. Nothing was changed; more may come. */
    record OutOfStock(String requestId, List<Shortage> shortages) implements Outcome {}

    /** Too many requests are on their way. Nothing was changed; ask again after that time. */
    record Overloaded(String requestId, Duration retryAfter) implements Outcome {}

    /** Others were faster each time, or the wait was broken off. Nothing was changed; ask again after that time. */
    record GaveUp(String requestId, Reason reason, Duration retryAfter) implements Outcome {
        /** What there was no getting past. */
        public enum Reason {
            /** Others changed the stock in between, each time. */
            CONFLICTS,
            /** The waiting thread was interrupted. */
            INTERRUPTED,
            /** The inventory was closed. */
            CLOSED
        }
    }

    /** Its turn, or the lock, didn't come in time. Nothing was changed. */
    record TimedOut(String requestId, Duration waited) implements Outcome {}

    /**
     * Whether it was done is unknown: the database failed in the middle of it. Ask again with the same request id,
     * or {@link Inventory#outcomeOf look it up}.
     */
    record Unknown(String requestId, String cause) implements Outcome {}

    /** The command is wrong. Nothing was changed; {@code detail} says what is wrong with what. */
    record Rejected(String requestId, Rejection why, String detail) implements Outcome {}

    /** The database failed. Nothing was changed. */
    record Failed(String requestId, Throwable cause) implements Outcome {
        /** Whether the same command may be done later without a change: the database can't be reached now. */
        public boolean retryable() {
            return DatabaseFailure.of(cause).retryable();
        }
    }
}
