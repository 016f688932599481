package dev.lockstep.server.inventory;

import dev.lockstep.inventory.Change;
import dev.lockstep.inventory.Outcome.Accepted;
import dev.lockstep.inventory.Outcome.Cancelled;
import dev.lockstep.inventory.Outcome.Expired;
import dev.lockstep.inventory.Outcome.Reserved;
import dev.lockstep.inventory.Outcome.Shipped;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What was done: the schema Outcome of the API's document. */
record AcceptedOutcome(
        String outcome,
        String requestId,
        @Nullable String reservationId,
        @Nullable Instant expiresAt,
        List<ChangeView> changes) {
    static AcceptedOutcome of(Accepted accepted) {
        return new AcceptedOutcome(
                accepted.getClass().getSimpleName().toLowerCase(Locale.ROOT),
                accepted.requestId(),
                reservation(accepted),
                accepted instanceof Reserved reserved ? reserved.expiresAt().orElse(null) : null,
                accepted.changes().stream().map(ChangeView::of).toList());
    }

    private static @Nullable String reservation(Accepted accepted) {
        if (accepted instanceof Reserved reserved) {
            return reserved.id();
        }
        if (accepted instanceof Shipped shipped) {
            return shipped.reservationId();
        }
        if (accepted instanceof Cancelled cancelled) {
            return cancelled.reservationId();
        }
        return accepted instanceof Expired expired ? expired.reservationId() : null;
    }

    /** What it did to one stock. */
    record ChangeView(String sku, String location, long physical, long allocated, long version) {
        static ChangeView of(Change change) {
            return new ChangeView(
                    change.key().sku(),
                    change.key().location(),
                    change.physical(),
                    change.allocated(),
                    change.after().version());
        }
    }
}
