package dev.lockstep.core;

import org.jspecify.annotations.Nullable;

/** A request with the defaults filled in, from the moment it is made. */
record ResolvedRequest(
        LockRequest request,
        String owner,
        long waitNanos,
        LeaseTerm term,
        @Nullable CallSite site) {
    boolean waits() {
        return waitNanos > 0;
    }

    long askedAt() {
        return term.fromNanos();
    }
}
