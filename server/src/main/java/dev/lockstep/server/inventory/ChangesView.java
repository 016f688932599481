package dev.lockstep.server.inventory;

import dev.lockstep.inventory.LedgerChange;
import dev.lockstep.inventory.LedgerEntry;
import dev.lockstep.inventory.Stock;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A page of the feed of all ledgers.
 *
 * @param last the position to continue after
 */
record ChangesView(long last, List<Line> changes) {
    static ChangesView of(List<LedgerChange> changes, long after) {
        long last = changes.isEmpty() ? after : changes.get(changes.size() - 1).position();
        return new ChangesView(last, changes.stream().map(Line::of).toList());
    }

    /** A line of a ledger. */
    record Line(
            long position,
            String sku,
            String location,
            long number,
            Instant at,
            String type,
            String requestId,
            @Nullable String reservationId,
            @Nullable String note,
            long physicalChange,
            long allocatedChange,
            long physical,
            long allocated) {
        private static Line of(LedgerChange change) {
            LedgerEntry entry = change.entry();
            Stock after = entry.change().after();
            return new Line(
                    change.position(),
                    after.key().sku(),
                    after.key().location(),
                    after.version(),
                    entry.at(),
                    entry.type().name().toLowerCase(Locale.ROOT),
                    entry.requestId(),
                    entry.reservationId().orElse(null),
                    entry.note().orElse(null),
                    entry.change().physical(),
                    entry.change().allocated(),
                    after.physical(),
                    after.allocated());
        }
    }
}
