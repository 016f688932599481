package dev.lockstep.inventory;

import dev.lockstep.core.LockClock;
import dev.lockstep.inventory.InventoryEvent.Alert;
import dev.lockstep.inventory.InventoryEvent.BooksDisagree;
import dev.lockstep.inventory.InventoryEvent.ConflictRateHigh;
import dev.lockstep.inventory.InventoryEvent.HoldOverdue;
import dev.lockstep.inventory.InventoryEvent.LockHeldLong;
import dev.lockstep.inventory.InventoryEvent.NegativeStock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes alerts to the log, and spares it those that it has had a moment ago: one bad row can be met thousands of times a second. */
final class AlertLog {
    private static final Logger LOG = LoggerFactory.getLogger(Inventory.class);
    private static final long QUIET = TimeUnit.SECONDS.toNanos(10);
    private static final int MOST = 10_000;

    private final Map<List<Object>, Long> written = new ConcurrentHashMap<>();
    private final LockClock clock;

    AlertLog(LockClock clock) {
        this.clock = clock;
    }

    void write(Alert alert) {
        if (!isNew(List.of(alert.getClass(), subject(alert)))) {
            return;
        }
        if (alert instanceof NegativeStock) {
            LOG.error(alert.message());
        } else {
            LOG.warn(alert.message());
        }
    }

    private boolean isNew(List<Object> what) {
        long now = clock.nanos();
        if (written.size() >= MOST && !written.containsKey(what)) {
            forgetOld();
            if (written.size() >= MOST) {
                return isNewFlood(now);
            }
        }
        boolean[] fresh = {false};
        written.compute(what, (any, last) -> {
            fresh[0] = last == null || now - last >= QUIET;
            return fresh[0] ? Long.valueOf(now) : last;
        });
        return fresh[0];
    }

    private static Object subject(Alert alert) {
        if (alert instanceof NegativeStock negative) {
            return negative.stock().key();
        }
        if (alert instanceof ConflictRateHigh high) {
            return high.key();
        }
        if (alert instanceof LockHeldLong locked) {
            return locked.keys();
        }
        return alert instanceof HoldOverdue overdue
                ? overdue.reservationId()
                : ((BooksDisagree) alert).discrepancy().subject();
    }

    void forgetOld() {
        long now = clock.nanos();
        written.values().removeIf(at -> now - at >= QUIET);
    }
}
