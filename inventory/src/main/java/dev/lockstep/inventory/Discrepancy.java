package dev.lockstep.inventory;

import java.time.Instant;

/** Something in the books that doesn't fit, found by {@link Inventory#reconcile}. */
public sealed interface Discrepancy {
    /** What is wrong, in words. */
    String what();

    /** What to do about it. */
    String advice();

    /** The stock or the reservation that it is about, as text. */
    String subject();

    /**
     * A stock that is not what its ledger and its reservations say.
     *
     * @param stock its row; empty, with version 0, when there is none
     * @param ledger what the last line of its ledger has left, with that line's number; empty when there is none
     * @param held what its open reservations hold
     */
    record StockFault(Kind kind, Stock stock, Stock ledger, long held) implements Discrepancy {
        /** What doesn't fit. */
        public enum Kind {
            /** There is less than nothing, or more reserved than there is. */
            NEGATIVE,
            /** There is stock, but no ledger that says where it comes from. */
            NO_LEDGER,
            /** There is a ledger, but no row in the table of stock. */
            NO_ROW,
            /** Lines of the ledger are missing or were changed: they don't add up to what the last one says. */
            LEDGER_BROKEN,
            /** The row is not what the ledger's last line has left. */
            LEDGER_DIFFERS,
            /** What is reserved according to the row is not what the open reservations hold. */
            HOLDS_DIFFER
        }

        @Override
        public String what() {
            return FaultTexts.what(this);
        }

        @Override
        public String advice() {
            return FaultTexts.advice(this);
        }

        @Override
        public String subject() {
            return stock.key().toString();
        }
    }

    /** A reservation whose time had ended more than a minute ago, and whose stock was not returned. */
    record OverdueHold(String reservationId, Instant expiredAt) implements Discrepancy {
        @Override
        public String what() {
            return "The reservation '" + reservationId + "' expired at " + expiredAt + " and still holds its stock.";
        }

        @Override
        public String advice() {
            return "Call expireDue(), or cancel it. If that is refused, repair the stock that it holds.";
        }

        @Override
        public String subject() {
            return reservationId;
        }
    }
}
