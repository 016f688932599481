package dev.lockstep.projectlock;

import dev.lockstep.core.LockClock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Watches one lease on a thread of its own: renews it, if that was asked for, and notices when it is over. */
final class Watch implements Runnable {
    private static final int RENEWALS_PER_TERM = 3;
    private static final int TRIES_PER_TERM = 10;

    /** The wall clock may jump at any time, and nothing wakes a thread for that. */
    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(500);

    private final Tenure tenure;
    private final LockClock clock;
    private final boolean renewing;
    private final Thread thread;
    private long renewAt;

    private Watch(Tenure tenure, LockClock clock, boolean renewing) {
        this.tenure = tenure;
        this.clock = clock;
        this.renewing = renewing;
        this.thread = new Thread(this, "lockstep-project-watch");
        thread.setDaemon(true);
    }

    static Watch start(Tenure tenure, Hold hold, LockClock clock, boolean renewing) {
        Watch watch = new Watch(tenure, clock, renewing);
        watch.renewAt = clock.nanos() + hold.term().toNanos() / RENEWALS_PER_TERM;
        watch.thread.start();
        return watch;
    }

    /** Looks at once, and so ends when there is nothing left to watch. */
    void wake() {
        LockSupport.unpark(thread);
    }

    @Override
    public void run() {
        Hold hold = tenure.current();
        while (hold != null && !tenure.endIfOver(hold)) {
            if (renewing && renewAt - clock.nanos() <= 0) {
                renew(hold);
            } else {
                clock.park(this, pause(hold));
            }
            hold = tenure.current();
        }
    }

    private long pause(Hold hold) {
        long left = hold.nanosLeft(clock);
        long next = renewing ? Math.min(left, renewAt - clock.nanos()) : left;
        return Math.max(1, Math.min(next, LONGEST_PAUSE));
    }

    private void renew(Hold hold) {
        long term = hold.term().toNanos();
        renewAt = clock.nanos() + term / TRIES_PER_TERM;
        try {
            tenure.renew(hold.lease(), hold.term());
            renewAt = clock.nanos() + term / RENEWALS_PER_TERM;
        } catch (ProjectLockException e) {
            // told and logged where it was found; the next try comes soon, or the lease is over
            return;
        }
    }
}
