package dev.lockstep.server.inventory;

import org.jspecify.annotations.Nullable;

/** A shipment of what a reservation set aside, as it is asked for. */
record ShipmentRequest(
        @Nullable String reservationId, @Nullable String requestId) {}
