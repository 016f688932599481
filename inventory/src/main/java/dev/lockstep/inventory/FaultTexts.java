package dev.lockstep.inventory;

import dev.lockstep.inventory.Discrepancy.StockFault;

/** What is wrong with a stock, and what to do about it, in words. */
final class FaultTexts {
    private FaultTexts() {}

    static String what(StockFault fault) {
        StockKey key = fault.stock().key();
        return switch (fault.kind()) {
            case NEGATIVE -> key + " has " + fault.stock().counts() + ": less than nothing is left to sell.";
            case NO_LEDGER -> key + " has " + fault.stock().counts() + ", but no ledger says where it comes from.";
            case NO_ROW ->
                "The ledger of " + key + " ends with " + fault.ledger().counts()
                        + ", but there is no such row of stock.";
            case LEDGER_BROKEN ->
                "The ledger of " + key + " doesn't add up to " + fault.ledger().counts()
                        + ", which its last line says: lines are missing, or were changed.";
            case LEDGER_DIFFERS ->
                key + " has " + fault.stock().counts() + ", but its ledger ends with "
                        + fault.ledger().counts() + ".";
            case HOLDS_DIFFER ->
                "Of " + key + " " + fault.stock().allocated() + " count as reserved, but the open reservations hold "
                        + fault.held() + ".";
        };
    }

    static String advice(StockFault fault) {
        return switch (fault.kind()) {
            case NEGATIVE ->
                "If the ledger is right, repair it FROM_LEDGER. Else count what there is, set the row to that, and repair it"
                        + " with KEEP_STOCK.";
            case NO_LEDGER -> "If the row is right, open its ledger: repair it with KEEP_STOCK.";
            case NO_ROW ->
                "Repair it FROM_LEDGER to have the row again; or with KEEP_STOCK if there is really nothing left.";
            case LEDGER_BROKEN ->
                "Put the lines back from a backup; or count what there is, and repair it with KEEP_STOCK.";
            case LEDGER_DIFFERS ->
                "Count what there is. If the ledger is right, repair it FROM_LEDGER; if the row is, with KEEP_STOCK.";
            case HOLDS_DIFFER ->
                "If the reservations are right, repair it with RECOUNT_HOLDS; else put the reservations right first.";
        };
    }
}
