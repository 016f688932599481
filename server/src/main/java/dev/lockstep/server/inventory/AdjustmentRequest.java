package dev.lockstep.server.inventory;

import org.jspecify.annotations.Nullable;

/** A correction after a count, as it is requested; the quantity may be negative. */
record AdjustmentRequest(
        @Nullable Long quantity,
        @Nullable String reason,
        @Nullable String requestId) {}
