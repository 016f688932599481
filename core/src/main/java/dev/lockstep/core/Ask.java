package dev.lockstep.core;

import java.time.Duration;

/** A request with the defaults filled in, from the moment it is made. */
record Ask(LockRequest request, String owner, Duration longestWait, LeaseTerm term, long askedAt) {}
