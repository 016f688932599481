package dev.lockstep.jdbc;

import dev.lockstep.core.LockClock;
import dev.lockstep.jdbc.sql.Numbers;
import java.time.Duration;

/** Counts rows, and reports the rate and the remaining time to a listener. */
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

    /** Counts rows that existed already. */
    void found(long rows) {
        present += rows;
        others += rows;
    }

    /** Counts rows that were missing and exist now, and how many of them this run created. */
    void made(long missing, long rows) {
        present += missing;
        made += rows;
        others += missing - rows;
        if (missing > 0) {
            report();
        }
    }

    /** Reports the end to a listener that was not notified before. */
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

    /** The rows created by this run. */
    long made() {
        return made;
    }

    /** The rows that existed, or that other runs created. */
    long others() {
        return others;
    }
}
