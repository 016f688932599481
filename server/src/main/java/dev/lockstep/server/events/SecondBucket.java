package dev.lockstep.server.events;

import dev.lockstep.core.LockFigures;
import java.time.Duration;
import java.time.Instant;

/** The grants, waits and timeouts of one second. */
final class SecondBucket {
    private final long second;
    private long acquired;
    private long timedOut;
    private long failed;
    private long lost;
    private long waits;
    private long waitMs;
    private long longestWaitMs;
    private LockFigures figures = new LockFigures(0, 0);

    SecondBucket(long second) {
        this.second = second;
    }

    boolean is(long other) {
        return second == other;
    }

    boolean isSince(long earliest) {
        return second >= earliest;
    }

    void acquired(Duration waited) {
        acquired++;
        waited(waited);
    }

    void timedOut(Duration waited) {
        timedOut++;
        waited(waited);
    }

    void failed() {
        failed++;
    }

    void lost() {
        lost++;
    }

    private void waited(Duration time) {
        long ms = time.toMillis();
        if (ms > 0) {
            waits++;
            waitMs += ms;
            longestWaitMs = Math.max(longestWaitMs, ms);
        }
    }

    void sampled(LockFigures now) {
        figures = now;
    }

    ContentionView.Point point() {
        return new ContentionView.Point(
                Instant.ofEpochSecond(second),
                acquired,
                timedOut,
                failed,
                lost,
                waits,
                waitMs,
                longestWaitMs,
                figures.waiting(),
                figures.held());
    }
}
