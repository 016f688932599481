package dev.lockstep.inventory;

import dev.lockstep.inventory.Command.Expire;
import dev.lockstep.inventory.InventoryEvent.HoldOverdue;
import dev.lockstep.inventory.Outcome.Expired;
import dev.lockstep.inventory.Outcome.Rejected;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is done now and then: gives back the stock of reservations whose time is over, and forgets what is idle. */
final class Caretaker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Caretaker.class);
    private static final int AT_ONCE = 500;

    private final Inventory inventory;
    private final Database database;
    private final Watch watch;
    private final ScheduledThreadPoolExecutor thread;

    Caretaker(Inventory inventory, Database database, Watch watch) {
        this.inventory = inventory;
        this.database = database;
        this.watch = watch;
        thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread made = new Thread(task, "lockstep-inventory-caretaker");
            made.setDaemon(true);
            return made;
        });
    }

    void start(Duration sweepEvery, Runnable forget) {
        every(Duration.ofSeconds(1), forget);
        if (!sweepEvery.isZero()) {
            every(sweepEvery, this::expireDue);
        }
    }

    private void every(Duration period, Runnable task) {
        var unused = thread.scheduleWithFixedDelay(
                () -> {
                    try {
                        task.run();
                    } catch (RuntimeException | Error e) { // else there would be no more of it
                        LOG.warn("The inventory's housekeeping failed, and goes on in {}: {}", period, e.toString());
                    }
                },
                period.toNanos(),
                period.toNanos(),
                TimeUnit.NANOSECONDS);
    }

    /** Gives back what is due, page by page, and answers how many reservations it ended. */
    int expireDue() {
        int ended = 0;
        DueHold last = DueHold.FIRST;
        while (true) {
            DueHold from = last;
            List<DueHold> due = database.ask((tables, connection) -> tables.due(connection, from, AT_ONCE));
            ended += expire(due);
            if (due.size() < AT_ONCE) {
                return ended;
            }
            last = due.get(due.size() - 1);
        }
    }

    private int expire(List<DueHold> due) {
        List<CompletableFuture<Outcome>> answers = new ArrayList<>(due.size());
        due.forEach(hold -> answers.add(inventory.submit(new Expire(hold.id()))));
        int ended = 0;
        for (int i = 0; i < due.size(); i++) {
            Outcome outcome = answers.get(i).join();
            if (outcome instanceof Expired) {
                ended++;
            } else {
                notEnded(due.get(i), outcome);
            }
        }
        return ended;
    }

    /** What is only busy or out of reach is tried again by the next sweep, and gets some time for that. */
    private void notEnded(DueHold hold, Outcome outcome) {
        Instant expiredAt = hold.expiresAt().toInstant(ZoneOffset.UTC);
        boolean hopeless = outcome instanceof Rejected rejected && rejected.why() == Rejection.BOOKS_DISAGREE;
        boolean endedByOther = outcome instanceof Rejected && !hopeless;
        boolean late = watch.now().isAfter(expiredAt.plus(Reconciler.OVERDUE));
        if (hopeless || (late && !endedByOther)) {
            watch.alert(new HoldOverdue(watch.now(), hold.id(), expiredAt));
        }
    }

    /** Waits for a sweep that is on its way. An interrupt would close the file of an H2 database for everyone. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(5, TimeUnit.SECONDS)) {
                LOG.warn("A sweep is still on its way while the inventory is closed");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
