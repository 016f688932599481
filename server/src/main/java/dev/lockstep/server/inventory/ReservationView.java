package dev.lockstep.server.inventory;

import dev.lockstep.inventory.Reservation;
import dev.lockstep.inventory.StockLine;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A reservation: what it holds, or held at its end. */
record ReservationView(String id, String state, @Nullable Instant expiresAt, List<Line> lines) {
    static ReservationView of(Reservation reservation) {
        return new ReservationView(
                reservation.id(),
                reservation.state().name().toLowerCase(Locale.ROOT),
                reservation.expiresAt().orElse(null),
                reservation.lines().stream().map(Line::of).toList());
    }

    /** This many of one SKU at one location. */
    record Line(String sku, String location, long quantity) {
        static Line of(StockLine line) {
            return new Line(line.key().sku(), line.key().location(), line.quantity());
        }
    }
}
