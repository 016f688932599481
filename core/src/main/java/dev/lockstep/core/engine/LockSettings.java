package dev.lockstep.core.engine;

import dev.lockstep.core.CallSite;
import dev.lockstep.core.CallSites;
import dev.lockstep.core.Limits;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.Locks;
import dev.lockstep.core.OrderPolicy;
import dev.lockstep.core.internal.RequestOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The options of one {@link Locks}.
 *
 * @param closesStore whether the store is closed with them
 * @param endsTerms whether closing them also ends leases that are not renewed
 */
public record LockSettings(
        LockClock clock,
        Duration longestWait,
        TermRule term,
        @Nullable Duration longestHold,
        @Nullable String owner,
        OrderPolicy orderPolicy,
        CallSites callSites,
        Limits limits,
        boolean closesStore,
        boolean endsTerms) {
    /** The line of code that makes a request, if it is recorded for each. */
    @Nullable
    CallSite callSite() {
        return callSites == CallSites.ALWAYS ? CallSiteFinder.here().orElse(null) : null;
    }

    /** The term of a request, with the default filled in. */
    TermRule termOf(RequestOptions options) {
        Duration asked = options.term();
        Duration longest = options.atMost();
        if (asked == null && longest == null) {
            return term;
        }
        return TermRule.of(asked == null ? term.term() : asked, asked == null, longest == null ? longestHold : longest);
    }

    /** The owner of a request, with the default filled in. */
    String ownerOf(RequestOptions options) {
        String asked = options.owner();
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
