package dev.lockstep.server.locks;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The body of {@code POST /api/locks}, as it came. */
record AcquireRequest(
        @Nullable List<@Nullable String> keys,
        @Nullable String mode,
        @Nullable Long waitMs,
        @Nullable Long leaseMs,
        @Nullable String owner,
        @Nullable String requestId) {}
