package dev.lockstep.server.events;

import dev.lockstep.core.LockKey;
import java.time.Duration;

/** How often one key was requested and waited for. */
final class KeyHeat {
    private long acquired;
    private long waits;
    private long waitMs;
    private long longestWaitMs;
    private long timedOut;

    void acquired(Duration waited) {
        acquired++;
        waited(waited);
    }

    void timedOut(Duration waited) {
        timedOut++;
        waited(waited);
    }

    private void waited(Duration time) {
        long ms = time.toMillis();
        if (ms > 0) {
            waits++;
            waitMs += ms;
            longestWaitMs = Math.max(longestWaitMs, ms);
        }
    }

    void add(KeyHeat other) {
        acquired += other.acquired;
        waits += other.waits;
        waitMs += other.waitMs;
        longestWaitMs = Math.max(longestWaitMs, other.longestWaitMs);
        timedOut += other.timedOut;
    }

    /** What is waited for is hotter than what is only taken. */
    long degree() {
        return 1_000 * (waitMs + timedOut) + acquired;
    }

    ContentionView.HotKey of(LockKey key) {
        return new ContentionView.HotKey(key.toString(), acquired, waits, waitMs, longestWaitMs, timedOut);
    }
}
