package dev.lockstep.server.inventory;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A reservation of several stocks together, as it is asked for. */
record OrderRequest(
        @Nullable List<@Nullable Line> lines,
        @Nullable String requestId,
        @Nullable Long heldForMs) {
    /** A number of one SKU at one location. */
    record Line(
            @Nullable String sku,
            @Nullable String location,
            @Nullable Long quantity) {}
}
