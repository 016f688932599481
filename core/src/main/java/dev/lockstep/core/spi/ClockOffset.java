package dev.lockstep.core.spi;

import java.time.Duration;
import java.time.Instant;

/**
 * How far a server's clock is from the local one, as far as the time that the question took lets it be known.
 *
 * @param atLeast the least that it must be; nothing when the clocks may well agree
 * @param behind whether the server's clock is the earlier one
 */
public record ClockOffset(Duration atLeast, boolean behind) {
    /** Compares; the server read its clock some time between the other two. */
    public static ClockOffset between(Instant before, Instant server, Instant after) {
        Duration late = Duration.between(server, before);
        Duration early = Duration.between(after, server);
        boolean behind = late.compareTo(early) > 0;
        Duration offset = behind ? late : early;
        return new ClockOffset(offset.isNegative() ? Duration.ZERO : offset, behind);
    }

    /** {@code The server's clock is 1500 ms behind this machine's.} */
    @Override
    public String toString() {
        return "The server's clock is " + atLeast.toMillis() + " ms " + (behind ? "behind" : "ahead of")
                + " this machine's.";
    }
}
