package dev.lockstep.core.memory;

import dev.lockstep.core.LockClock;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** The store's own time: nanoseconds since the store was made. It never goes back, and leases are judged by it. */
final class StoreTime {
    private final LockClock clock;
    private final long originNanos;
    private final long originMicros;

    StoreTime(LockClock clock) {
        this.clock = clock;
        originNanos = clock.nanos();
        originMicros = TimeUnit.MILLISECONDS.toMicros(clock.millis());
    }

    long now() {
        return since(clock.nanos());
    }

    /** The store time at these nanoseconds of the clock. */
    long since(long nanos) {
        return nanos - originNanos;
    }

    /** Microseconds since 1970 at a store time, by the wall clock as it stood when the store was made. */
    long micros(long time) {
        return originMicros + time / 1_000;
    }

    /** What the wall clock showed at a store time, as far as it is known now. */
    Instant wallTime(long time) {
        return Instant.ofEpochMilli(clock.millis() - TimeUnit.NANOSECONDS.toMillis(now() - time));
    }
}
