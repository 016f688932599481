package dev.lockstep.core;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What the builder was told, and every part of one {@link Locks} may read. */
record LockSettings(
        LockClock clock,
        Duration longestWait,
        TermRule term,
        @Nullable Duration longestHold,
        @Nullable String owner,
        OrderPolicy orderPolicy,
        CallSites callSites,
        Limits limits) {

    /** Fills in what a request leaves open. {@code unlessGiven} counts when it doesn't say how long to wait. */
    ResolvedRequest ask(LockRequest request, Duration unlessGiven) {
        Duration wait = request.waitOrNull();
        LeaseTerm start = LeaseTerm.startingNow(termOf(request), clock);
        return new ResolvedRequest(
                request, ownerOf(request), (wait == null ? unlessGiven : wait).toNanos(), start, site());
    }

    private @Nullable CallSite site() {
        return callSites == CallSites.ALWAYS ? CallSite.here().orElse(null) : null;
    }

    private TermRule termOf(LockRequest request) {
        Duration asked = request.termOrNull();
        Duration longest = request.atMostOrNull();
        if (asked == null && longest == null) {
            return term;
        }
        return TermRule.of(asked == null ? term.term() : asked, asked == null, longest == null ? longestHold : longest);
    }

    private String ownerOf(LockRequest request) {
        String asked = request.ownerOrNull();
        if (asked != null) {
            return asked;
        }
        return owner != null ? owner : nameOf(Thread.currentThread());
    }

    private static String nameOf(Thread thread) {
        String name = thread.getName(); // virtual threads have none
        return name.isEmpty() ? "thread-" + thread.getId() : name;
    }
}
