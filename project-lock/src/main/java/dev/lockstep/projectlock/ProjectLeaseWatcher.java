package dev.lockstep.projectlock;

import dev.lockstep.core.LockClock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Watches one lease on its own thread: renews it, if that was asked for, and notices when it has ended. */
final class ProjectLeaseWatcher implements Runnable {
    private static final int RENEWALS_PER_TERM = 3;
    private static final int TRIES_PER_TERM = 10;

    /** The wall clock may jump at any time, and nothing wakes a thread for that. */
    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(500);

    private final ActiveLease activeLease;
    private final HeldProject first;
    private final LockClock clock;
    private final boolean renewing;
    private final Thread thread;
    private long renewAt;

    private ProjectLeaseWatcher(ActiveLease activeLease, HeldProject first, LockClock clock, boolean renewing) {
        this.activeLease = activeLease;
        this.first = first;
        this.clock = clock;
        this.renewing = renewing;
        this.renewAt = clock.nanos() + first.term().toNanos() / RENEWALS_PER_TERM;
        this.thread = new Thread(this, "lockstep-project-watch");
        thread.setDaemon(true);
    }

    static ProjectLeaseWatcher start(ActiveLease activeLease, HeldProject hold, LockClock clock, boolean renewing) {
        ProjectLeaseWatcher watch = new ProjectLeaseWatcher(activeLease, hold, clock, renewing);
        watch.thread.start();
        return watch;
    }

    /** Looks at once, and so ends when there is nothing left to watch. */
    void wake() {
        LockSupport.unpark(thread);
    }

    @Override
    public void run() {
        while (!activeLease.endIfOver(first)) {
            if (renewing && renewAt - clock.nanos() <= 0) {
                boolean renewed = activeLease.renewIfHeld(first);
                renewAt = clock.nanos() + first.term().toNanos() / (renewed ? RENEWALS_PER_TERM : TRIES_PER_TERM);
            }
            HeldProject now = activeLease.current();
            if (now != null) {
                clock.park(this, pause(now));
            }
        }
    }

    private long pause(HeldProject hold) {
        long left = hold.nanosLeft(clock);
        long next = renewing ? Math.min(left, renewAt - clock.nanos()) : left;
        return Math.max(1, Math.min(next, LONGEST_PAUSE));
    }
}
