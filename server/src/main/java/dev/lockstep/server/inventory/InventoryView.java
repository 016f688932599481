package dev.lockstep.server.inventory;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The stock that was touched last on this server, with figures and alerts. */
record InventoryView(Instant at, List<Row> stock, Figures figures, List<AlertView> alerts) {
    /** One stock, and how it is changed. */
    record Row(
            String sku,
            String location,
            long physical,
            long allocated,
            long available,
            long version,
            @Nullable String strategy,
            @Nullable String why,
            double conflictRate,
            double company,
            double perSecond) {}

    /** What was counted since the start. */
    record Figures(
            Map<String, Long> outcomes,
            long attempts,
            long conflicts,
            long transactions,
            long commands,
            int inFlight) {}

    /** Something that a person should look at. */
    record AlertView(Instant at, String type, String message) {}
}
