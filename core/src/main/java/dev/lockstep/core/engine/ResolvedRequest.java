package dev.lockstep.core.engine;

import dev.lockstep.core.CallSite;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.internal.ApiAccess;
import org.jspecify.annotations.Nullable;

/** A request with the defaults filled in. */
record ResolvedRequest(
        LockRequest request,
        String owner,
        long waitNanos,
        LeaseTerm term,
        @Nullable CallSite site) {
    private static final ApiAccess API = ApiAccess.get();

    boolean waits() {
        return waitNanos > 0;
    }

    boolean interruptsOnLoss() {
        return API.options(request).interruptOnLoss();
    }

    boolean isUninterruptible() {
        return API.options(request).uninterruptible();
    }

    long askedAt() {
        return term.fromNanos();
    }
}
