package dev.lockstep.server.inventory;

import org.jspecify.annotations.Nullable;

/** New stock, as it is asked for. */
record ReceiptRequest(@Nullable Long quantity, @Nullable String requestId) {}
