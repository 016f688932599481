package dev.lockstep.core.engine;

import dev.lockstep.core.CallSite;
import dev.lockstep.core.CallSites;
import dev.lockstep.core.Limits;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.OrderPolicy;
import dev.lockstep.core.internal.ApiAccess;
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
    private static final ApiAccess API = ApiAccess.get();

    /** Fills in the options that a request leaves open; {@code unlessGiven} is how long it waits if it doesn't say. */
    ResolvedRequest resolve(LockRequest request, Duration unlessGiven) {
        RequestOptions options = API.options(request);
        Duration wait = options.longestWait();
        LeaseTerm start = LeaseTerm.startingNow(termOf(options), clock);
        return new ResolvedRequest(
                request, ownerOf(options), (wait == null ? unlessGiven : wait).toNanos(), start, site());
    }

    private @Nullable CallSite site() {
        return callSites == CallSites.ALWAYS ? CallSiteFinder.here().orElse(null) : null;
    }

    private TermRule termOf(RequestOptions options) {
        Duration asked = options.term();
        Duration longest = options.atMost();
        if (asked == null && longest == null) {
            return term;
        }
        return TermRule.of(asked == null ? term.term() : asked, asked == null, longest == null ? longestHold : longest);
    }

    private String ownerOf(RequestOptions options) {
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
