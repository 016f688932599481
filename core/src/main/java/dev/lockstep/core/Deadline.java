package dev.lockstep.core;

import java.time.Duration;

/** A point on a monotonic clock by which something must be done. */
public final class Deadline {
    private final LockClock clock;
    private final long at;

    private Deadline(LockClock clock, long at) {
        this.clock = clock;
        this.at = at;
    }

    /** The point that lies this far ahead; a zero duration is a deadline that has passed. */
    public static Deadline in(Duration duration, LockClock clock) {
        return at(clock.nanos() + duration.toNanos(), clock);
    }

    /** The point at these nanoseconds of the clock. */
    public static Deadline at(long nanos, LockClock clock) {
        return new Deadline(clock, nanos);
    }

    /** The point on the clock's nanoseconds. */
    public long nanos() {
        return at;
    }

    /** The nanoseconds that are left; zero or less when it has passed. */
    public long remainingNanos() {
        return at - clock.nanos();
    }

    /** The time that is left; zero when it has passed. */
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, remainingNanos()));
    }

    /** Whether the point has been reached. */
    public boolean passed() {
        return remainingNanos() <= 0;
    }

    /** The nearer of two deadlines on one clock. */
    public Deadline orEarlier(Deadline other) {
        return at - other.at <= 0 ? this : other;
    }
}
