package dev.lockstep.inventory;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Something to be done to the stock, once: a command that comes again with the same request id changes nothing and gets the
 * answer of the first time.
 */
public sealed interface Command {
    /** What the caller calls this request; made anew for each thing to do, and the same when it is asked again. */
    String requestId();

    /** The reservation that it is about, unless it makes one. */
    default Optional<String> reservation() {
        return Optional.empty();
    }

    /** Sets stock aside. The reservation has the id of its request. */
    record Reserve(Order order, String requestId) implements Command {}

    /**
     * Releases what a reservation set aside.
     *
     * @param lines the part of it to release; empty for all that is left
     */
    record Cancel(String reservationId, List<StockLine> lines, String requestId) implements Command {
        /** Copies the lines. */
        public Cancel {
            lines = List.copyOf(lines);
        }

        /** Releases all that is left. */
        public Cancel(String reservationId, String requestId) {
            this(reservationId, List.of(), requestId);
        }

        @Override
        public Optional<String> reservation() {
            return Optional.of(reservationId);
        }
    }

    /**
     * Removes from stock what a reservation set aside.
     *
     * @param lines the part of it to take; empty for all that is left
     */
    record Ship(String reservationId, List<StockLine> lines, String requestId) implements Command {
        /** Copies the lines. */
        public Ship {
            lines = List.copyOf(lines);
        }

        /** Takes all that is left. */
        public Ship(String reservationId, String requestId) {
            this(reservationId, List.of(), requestId);
        }

        @Override
        public Optional<String> reservation() {
            return Optional.of(reservationId);
        }
    }

    /** Lets a reservation that has not expired hold its stock for this long from now. */
    record Extend(String reservationId, Duration heldFor, String requestId) implements Command {
        @Override
        public Optional<String> reservation() {
            return Optional.of(reservationId);
        }
    }

    /** Receives new stock, also of a SKU that was not there before. */
    record Receive(List<StockLine> lines, String requestId) implements Command {
        /** Copies the lines. */
        public Receive {
            lines = List.copyOf(lines);
        }
    }

    /** Corrects the physical quantity, up or down, with the reason that the ledger keeps. */
    record Adjust(StockLine change, String reason, String requestId) implements Command {}

    /**
     * Sets how much of a stock is not for sale, with the reason that the ledger keeps. Reservations leave that much; those made before stay.
     */
    record SetSafetyStock(StockKey key, long quantity, String reason, String requestId) implements Command {}

    /** Puts books right that disagree, with the reason that the ledger keeps. */
    record Repair(StockKey key, Remedy remedy, String reason, String requestId) implements Command {}

    /** Releases what a reservation set aside, if its time has ended. */
    record Expire(String reservationId) implements Command {
        /** What the request ids of expiries begin with, and no others. */
        public static final String PREFIX = "expire/";

        @Override
        public String requestId() {
            return PREFIX + reservationId;
        }

        @Override
        public Optional<String> reservation() {
            return Optional.of(reservationId);
        }
    }
}
