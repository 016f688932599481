package dev.lockstep.server.locks;

import org.jspecify.annotations.Nullable;

/** The body of {@code POST /api/locks/{leaseId}/renew}, as it came. */
record RenewRequest(@Nullable Long extendByMs) {}
