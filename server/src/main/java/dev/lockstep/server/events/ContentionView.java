package dev.lockstep.server.events;

import java.time.Instant;
import java.util.List;

/** How much was taken and waited for, as the API's document has it. */
record ContentionView(Instant at, long everyMs, List<Point> points, List<HotKey> hottest) {
    /** One second. */
    record Point(
            Instant at,
            long acquired,
            long timedOut,
            long failed,
            long lost,
            long waits,
            long waitMs,
            long longestWaitMs,
            int waiting,
            int held) {}

    /** A key that was waited for. */
    record HotKey(String key, long acquired, long waits, long waitMs, long longestWaitMs, long timedOut) {}
}
