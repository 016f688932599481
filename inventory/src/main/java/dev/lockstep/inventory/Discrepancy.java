package dev.lockstep.inventory;

/**
 * A stock that is not what its ledger and its reservations say.
 *
 * @param stock the row of the table
 * @param ledger what the ledger's lines add up to; its version is the number of the last line
 * @param held what the open reservations add up to
 */
public record Discrepancy(Stock stock, Stock ledger, long held) {}
