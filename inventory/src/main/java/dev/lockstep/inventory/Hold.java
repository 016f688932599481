package dev.lockstep.inventory;

import java.time.LocalDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A reservation as the database has it.
 *
 * @param lines in the order of the locks
 * @param expiresAt in UTC, by the server's clock
 */
record Hold(
        String id,
        List<StockLine> lines,
        HoldState state,
        @Nullable LocalDateTime expiresAt) {
    Hold ended(HoldState end) {
        return new Hold(id, lines, end, expiresAt);
    }

    boolean isOver(LocalDateTime now) {
        return expiresAt != null && !expiresAt.isAfter(now);
    }
}
