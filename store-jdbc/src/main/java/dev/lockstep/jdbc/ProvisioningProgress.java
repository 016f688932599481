package dev.lockstep.jdbc;

import dev.lockstep.jdbc.sql.Numbers;
import java.time.Duration;

/**
 * How far provisioning has got.
 *
 * @param rowsDone the rows that are there, also those that were before
 * @param rowsTotal the rows that there will be
 * @param elapsed since the first row was created
 * @param rowsPerSecond rows created by this run
 * @param eta how long the rest will take at this rate
 */
public record ProvisioningProgress(
        long rowsDone, long rowsTotal, Duration elapsed, double rowsPerSecond, Duration eta) {

    /** The part that is done, from 0 to 1. */
    public double part() {
        return rowsTotal == 0 ? 1 : (double) rowsDone / rowsTotal;
    }

    /** A bar of this many characters, such as {@code ######----}. */
    public String bar(int width) {
        int done = (int) (width * part());
        return "#".repeat(done) + "-".repeat(width - done);
    }

    /** {@code 1,200,000 of 3,000,000 rows (40 %), 210,000 rows/s, 9 s left}. */
    @Override
    public String toString() {
        return "%s of %s rows (%d %%), %s rows/s, %s left"
                .formatted(
                        Numbers.grouped(rowsDone),
                        Numbers.grouped(rowsTotal),
                        (int) (100 * part()),
                        Numbers.grouped((long) rowsPerSecond),
                        Numbers.clock(eta));
    }
}
