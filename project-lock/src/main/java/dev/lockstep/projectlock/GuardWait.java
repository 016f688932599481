package dev.lockstep.projectlock;

import dev.lockstep.core.Deadline;
import dev.lockstep.core.LockClock;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** How long a transaction waits for its turn, in short random pauses: turns last milliseconds, and waiters should not march in step. */
public final class GuardWait {
    /** Longer than any turn; a process that takes longer stands still. */
    private static final Duration AT_LEAST = Duration.ofSeconds(1);

    private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(8);

    private final LockClock clock;
    private final Deadline deadline;
    private final AbortSignal abort;

    private GuardWait(LockClock clock, Deadline deadline, AbortSignal abort) {
        this.clock = clock;
        this.deadline = deadline;
        this.abort = abort;
    }

    /** A wait that ends at the deadline, though not before a usual turn would have come, or when it is cancelled. */
    static GuardWait until(Deadline deadline, AbortSignal abort, LockClock clock) {
        Deadline usual = Deadline.in(AT_LEAST, clock);
        return new GuardWait(clock, deadline.orEarlier(usual) == deadline ? usual : deadline, abort);
    }

    /** A wait for a usual turn, but no longer than this. */
    static GuardWait within(long nanos, LockClock clock) {
        Deadline limit = Deadline.at(clock.nanos() + Math.max(1, nanos), clock);
        return new GuardWait(clock, limit.orEarlier(Deadline.in(AT_LEAST, clock)), new AbortSignal());
    }

    /** A wait for a usual turn. */
    static GuardWait brief(LockClock clock) {
        return new GuardWait(clock, Deadline.in(AT_LEAST, clock), new AbortSignal());
    }

    /** Pauses before the next look; fails when the wait has ended. */
    void pause(String guard) throws GuardBusyException {
        if (deadline.passed() || abort.isAborted()) {
            throw new GuardBusyException(guard);
        }
        clock.park(this, ThreadLocalRandom.current().nextLong(SHORTEST, LONGEST));
    }
}
