package dev.lockstep.jdbc;

import dev.lockstep.jdbc.sql.Numbers;
import java.time.Duration;

/**
 * What a provisioning run did.
 *
 * @param inserted the rows that it created
 * @param alreadyThere the rows that were there before, or that another run created meanwhile
 * @param duration of the whole run
 */
public record ProvisioningReport(long inserted, long alreadyThere, Duration duration) {
    /** Rows created per second. */
    public double rowsPerSecond() {
        return Numbers.perSecond(inserted, duration);
    }

    /** {@code 3,000,000 rows made, 0 already there, in 14 s (214,285 rows/s)}. */
    @Override
    public String toString() {
        return "%s rows made, %s already there, in %s (%s rows/s)"
                .formatted(
                        Numbers.grouped(inserted),
                        Numbers.grouped(alreadyThere),
                        Numbers.clock(duration),
                        Numbers.grouped((long) rowsPerSecond()));
    }
}
