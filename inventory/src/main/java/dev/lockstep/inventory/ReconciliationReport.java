package dev.lockstep.inventory;

import java.time.Duration;

/**
 * What a look through all books has found.
 *
 * @param stocks how many stocks were compared
 * @param discrepancies how many things don't fit
 * @param took how long it took
 */
public record ReconciliationReport(long stocks, long discrepancies, Duration took) {
    /** Whether all fits. */
    public boolean isClean() {
        return discrepancies == 0;
    }
}
