package dev.lockstep.jdbc;

import dev.lockstep.core.LockClock;
import dev.lockstep.jdbc.sql.Numbers;
import java.time.Duration;

/** Counts rows, and tells a listener how fast it goes and how long it will still take. */
final class ProgressMeter {
    private final long total;
    private final ProvisioningListener listener;
    private final LockClock clock;
    private final long start;
    private long present;
    private long others;
    private long made;

    ProgressMeter(long total, ProvisioningListener listener) {
        this(total, listener, LockClock.system());
    }

    ProgressMeter(long total, ProvisioningListener listener, LockClock clock) {
        this.total = total;
        this.listener = listener;
        this.clock = clock;
        this.start = clock.nanos();
    }

    /** So many rows were there already. */
    void found(long rows) {
        present += rows;
        others += rows;
    }

    /** So many rows were missing and are there now; so many of them by this run. */
    void made(long missing, long rows) {
        present += missing;
        made += rows;
        others += missing - rows;
        if (missing > 0) {
            report();
        }
    }

    /** Tells the end to a listener that has heard nothing. */
    ProgressMeter done() {
        if (made == 0) {
            report();
        }
        return this;
    }

    private void report() {
        Duration elapsed = Duration.ofNanos(clock.nanos() - start);
        double rate = Numbers.perSecond(made, elapsed);
        long left = total - present;
        Duration eta = rate == 0 ? Duration.ZERO : Duration.ofNanos((long) (left / rate * 1e9));
        listener.progress(new ProvisioningProgress(present, total, elapsed, rate, eta));
    }

    /** The rows made by this run. */
    long made() {
        return made;
    }

    /** The rows that were there, or that others made. */
    long others() {
        return others;
    }
}
