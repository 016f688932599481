package dev.lockstep.core;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What the builder was told, and every part of one {@link Locks} may read. */
record LockSettings(
        LockClock clock,
        Duration longestWait,
        Duration term,
        @Nullable Duration longestHold,
        @Nullable String owner,
        OrderPolicy orderPolicy,
        CallSites callSites,
        Limits limits) {

    /** Fills in what a request leaves open. {@code unlessGiven} counts when it doesn't say how long to wait. */
    Ask ask(LockRequest request, Duration unlessGiven) {
        Duration asked = request.waitOrNull();
        LeaseTerm leaseTerm = leaseTerm(request);
        return new Ask(
                request, ownerOf(request), asked == null ? unlessGiven : asked, leaseTerm, leaseTerm.startNanos());
    }

    private LeaseTerm leaseTerm(LockRequest request) {
        Duration asked = request.termOrNull();
        Duration longest = request.atMostOrNull();
        return new LeaseTerm(
                clock, asked == null ? term : asked, asked == null, longest == null ? longestHold : longest);
    }

    private String ownerOf(LockRequest request) {
        String asked = request.ownerOrNull();
        if (asked != null) {
            return asked;
        }
        return owner != null ? owner : Thread.currentThread().getName();
    }
}
