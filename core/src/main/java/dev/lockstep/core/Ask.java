package dev.lockstep.core;

/** A request with the defaults filled in, from the moment it is made. */
record Ask(LockRequest request, String owner, long waitNanos, LeaseTerm term) {
    long askedAt() {
        return term.fromNanos();
    }
}
