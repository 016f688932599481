package dev.lockstep.core.fallback;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockException;
import dev.lockstep.core.spi.LockStore;
import java.time.Duration;

/**
 * Whether the primary can be reached, by asking it for nothing else: a lock that is taken, a slow one, or one that was not had in time
 * says nothing about it.
 */
final class Health {
    /** One lost answer, or a pause of this process, is no proof. */
    private static final int PROOFS = 3;

    /** What was found, by how many probes in a row, since when, and the error. */
    private record Found(boolean reachable, int times, long since, String why) {}

    private final LockStore primary;
    private final LockClock clock;
    private volatile Found found;

    Health(LockStore primary, LockClock clock) {
        this.primary = primary;
        this.clock = clock;
        found = new Found(true, 0, clock.nanos(), "");
    }

    void probe() {
        long asked = clock.nanos();
        try {
            primary.ping();
            note(true, asked, "");
        } catch (LockException e) {
            // A server that answers with an error is there: to switch would not be because it is unreachable.
            note(e.code() != ErrorCode.STORE_UNAVAILABLE, clock.nanos(), String.valueOf(e.getMessage()));
        }
    }

    private void note(boolean reachable, long at, String why) {
        Found before = found;
        boolean same = before.reachable == reachable && before.why.isEmpty() == why.isEmpty();
        found = same ? new Found(reachable, before.times + 1, before.since, why) : new Found(reachable, 1, at, why);
    }

    boolean isReachable() {
        return found.reachable;
    }

    boolean isAwayFor(Duration time) {
        Found now = found;
        return !now.reachable && now.times >= PROOFS && lasts(now, time);
    }

    boolean isBackFor(Duration time) {
        Found now = found;
        return now.reachable && now.why.isEmpty() && now.times >= PROOFS && lasts(now, time);
    }

    private boolean lasts(Found now, Duration time) {
        return clock.nanos() - now.since >= time.toNanos();
    }

    String why() {
        String why = found.why;
        return why.endsWith(".") ? why.substring(0, why.length() - 1) : why;
    }
}
