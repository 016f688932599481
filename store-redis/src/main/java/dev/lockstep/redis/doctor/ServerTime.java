package dev.lockstep.redis.doctor;

import java.time.Duration;
import java.time.Instant;

/**
 * One reading of the server's clock, some time between two readings of the local clocks.
 *
 * @param askedNanos when it was asked for, by the local monotonic clock
 * @param answeredNanos when the answer was there, by the same
 */
record ServerTime(Instant asked, Instant server, Instant answered, long askedNanos, long answeredNanos) {
    Duration roundTrip() {
        return Duration.ofNanos(answeredNanos - askedNanos);
    }
}
