package dev.lockstep.server.inventory;

import org.jspecify.annotations.Nullable;

/** A reservation of one stock, as it is asked for. */
record ReservationRequest(
        @Nullable Long quantity,
        @Nullable String requestId,
        @Nullable Long heldForMs) {}
