package dev.lockstep.inventory.books;

import dev.lockstep.inventory.HoldState;
import dev.lockstep.inventory.Reservation;
import dev.lockstep.inventory.StockLine;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A reservation as the database has it.
 *
 * @param lines what is still held, or what was held at the end; in the order of the locks
 * @param expiresAt in UTC, by the server's clock
 */
public record Hold(
        String id,
        List<StockLine> lines,
        HoldState state,
        @Nullable LocalDateTime expiresAt) {
    Hold ended(HoldState end) {
        return new Hold(id, lines, end, expiresAt);
    }

    /** With another time to expire. */
    Hold until(LocalDateTime end) {
        return new Hold(id, lines, state, end);
    }

    /** With the lines that are left. */
    Hold with(List<StockLine> left) {
        return new Hold(id, left, state, expiresAt);
    }

    boolean isOver(LocalDateTime now) {
        return expiresAt != null && !expiresAt.isAfter(now);
    }

    public Reservation reservation() {
        return new Reservation(
                id,
                lines,
                state,
                Optional.ofNullable(expiresAt)
                        .filter(time -> state == HoldState.HELD)
                        .map(time -> time.toInstant(ZoneOffset.UTC)));
    }
}
