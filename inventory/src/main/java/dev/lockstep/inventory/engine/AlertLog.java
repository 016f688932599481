package dev.lockstep.inventory.engine;

import dev.lockstep.core.LockClock;
import dev.lockstep.inventory.Discrepancy;
import dev.lockstep.inventory.Discrepancy.StockFault;
import dev.lockstep.inventory.Inventory;
import dev.lockstep.inventory.InventoryEvent.Alert;
import dev.lockstep.inventory.InventoryEvent.BooksDisagree;
import dev.lockstep.inventory.InventoryEvent.CalledInTransaction;
import dev.lockstep.inventory.InventoryEvent.ConflictRateHigh;
import dev.lockstep.inventory.InventoryEvent.HoldOverdue;
import dev.lockstep.inventory.InventoryEvent.LockHeldLong;
import dev.lockstep.inventory.InventoryEvent.NegativeStock;
import dev.lockstep.inventory.InventoryEvent.OverallConflictRateHigh;
import dev.lockstep.inventory.Outcome.Failed;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes alerts to the log, and spares it those that it has had a moment ago: one bad row can be met thousands of times a second. */
final class AlertLog {
    private static final Logger LOG = LoggerFactory.getLogger(Inventory.class);
    private static final long QUIET = TimeUnit.SECONDS.toNanos(10);
    private static final int MOST = 10_000;

    private final Map<Object, Long> written = new ConcurrentHashMap<>();
    private final LockClock clock;

    AlertLog(LockClock clock) {
        this.clock = clock;
    }

    /** Returns whether there was no such alert about the same thing in the last 10 seconds, as far as is remembered. */
    boolean write(Alert alert) {
        if (written.size() >= MOST) {
            writeOnce(
                    "flood",
                    () -> LOG.warn(
                            "There were {} alerts about different things in 10 seconds: more go only"
                                    + " to listeners and into the figures. Call reconcile().",
                            MOST));
            return true;
        }
        return writeOnce(List.of(alert.getClass(), subject(alert)), () -> write(alert.message(), alert));
    }

    /** The caller handles a failure; here it shows why there are many. */
    void write(Failed failed) {
        writeOnce(
                List.of(Failed.class, failed.cause().getClass()),
                () -> LOG.warn(
                        "The request {} failed; more of the kind are not logged for 10 s",
                        failed.requestId(),
                        failed.cause()));
    }

    private static void write(String message, Alert alert) {
        if (alert instanceof NegativeStock) {
            LOG.error("{}", message);
        } else {
            LOG.warn("{}", message);
        }
    }

    private boolean writeOnce(Object what, Runnable write) {
        long now = clock.nanos();
        AtomicBoolean isNew = new AtomicBoolean();
        written.compute(what, (any, last) -> {
            if (last != null && now - last < QUIET) {
                return last;
            }
            isNew.set(true);
            try {
                write.run();
            } catch (RuntimeException e) {
                return now; // a log that is broken changes no outcome
            }
            return now;
        });
        return isNew.get();
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
        if (alert instanceof HoldOverdue overdue) {
            return overdue.reservationId();
        }
        if (alert instanceof OverallConflictRateHigh || alert instanceof CalledInTransaction) {
            return "all";
        }
        Discrepancy found = ((BooksDisagree) alert).discrepancy();
        return found instanceof StockFault fault
                ? List.of(fault.kind(), fault.stock().key())
                : found.subject();
    }

    void forgetOld() {
        long now = clock.nanos();
        written.values().removeIf(at -> now - at >= QUIET);
    }
}
