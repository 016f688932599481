package dev.lockstep.etcd;

import dev.lockstep.core.LockClock;
import java.util.concurrent.TimeUnit;

/** A lease of etcd, and from when on its time to live can be counted. */
final class EtcdLease {
    private static final int SHORTEST_SECONDS = 2; // etcd grants none that is shorter than 1.5 election timeouts

    /** How much longer it lives than the term it is for, so that one which was granted a moment ago is good for a whole term. */
    private static final long SPARE_SECONDS = 1;

    /** Readings of both clocks from before the last call that granted or extended it was sent. */
    record Start(long nanos, long millis) {
        static Start now(LockClock clock) {
            return new Start(clock.nanos(), clock.millis());
        }

        /** How long ago that was, by the clock that went further. */
        long age(LockClock clock) {
            return Math.max(clock.nanos() - nanos, TimeUnit.MILLISECONDS.toNanos(Math.max(0, clock.millis() - millis)));
        }
    }

    private final long id;
    private final long askedFor;
    private final long seconds;
    private volatile Start start;
    private volatile boolean tainted;
    private volatile boolean extending;

    EtcdLease(long id, long askedFor, long seconds, Start start) {
        this.id = id;
        this.askedFor = askedFor;
        this.seconds = seconds;
        this.start = start;
    }

    /** The time to live of a lease for this term. */
    static long secondsFor(long termNanos) {
        long whole = (termNanos + TimeUnit.SECONDS.toNanos(1) - 1) / TimeUnit.SECONDS.toNanos(1);
        return Math.max(SHORTEST_SECONDS, whole + SPARE_SECONDS);
    }

    long id() {
        return id;
    }

    /** The time to live in seconds that it was asked for with; etcd raises one that is too short. */
    long askedFor() {
        return askedFor;
    }

    /** Its time to live. */
    long seconds() {
        return seconds;
    }

    long nanos() {
        return TimeUnit.SECONDS.toNanos(seconds);
    }

    Start start() {
        return start;
    }

    /** It lives on from a call that was sent at this time. Responses may arrive in another order than requests. */
    void extended(Start sent) {
        if (sent.nanos() - start.nanos() > 0) {
            start = sent;
        }
    }

    long age(LockClock clock) {
        return start.age(clock);
    }

    /** Whether a call that names it was not answered, and may be carried out later. It is revoked then, never reused. */
    boolean isTainted() {
        return tainted;
    }

    void taint() {
        tainted = true;
    }

    /** For one keep-alive at a time in the background. */
    boolean isExtending() {
        return extending;
    }

    void extending(boolean now) {
        extending = now;
    }
}
