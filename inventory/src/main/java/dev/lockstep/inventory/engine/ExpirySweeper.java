package dev.lockstep.inventory.engine;

import dev.lockstep.inventory.Command.Expire;
import dev.lockstep.inventory.InventoryEvent.HoldOverdue;
import dev.lockstep.inventory.Outcome;
import dev.lockstep.inventory.Outcome.Expired;
import dev.lockstep.inventory.Outcome.Rejected;
import dev.lockstep.inventory.Rejection;
import dev.lockstep.inventory.books.Database;
import dev.lockstep.inventory.books.DueHold;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Expires reservations that are due, and lets idle state be forgotten, both at intervals. */
final class ExpirySweeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ExpirySweeper.class);
    private static final int AT_ONCE = 500;

    private final Function<Expire, Submission> submit;
    private final Database database;
    private final InventoryMonitor monitor;
    private final ScheduledThreadPoolExecutor thread;

    ExpirySweeper(Function<Expire, Submission> submit, Database database, InventoryMonitor monitor) {
        this.submit = submit;
        this.database = database;
        this.monitor = monitor;
        thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread made = new Thread(task, "lockstep-inventory-caretaker");
            made.setDaemon(true);
            return made;
        });
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    void start(Duration sweepEvery, Runnable forget) {
        every(Duration.ofSeconds(1), forget);
        if (!sweepEvery.isZero()) {
            sweepAfter(sweepEvery, new SweepPace(sweepEvery));
        }
    }

    private void sweepAfter(Duration pause, SweepPace pace) {
        try {
            var unused = thread.schedule(
                    () -> {
                        guarded(pause, () -> pace.swept(sweep()));
                        sweepAfter(pace.pause(), pace);
                    },
                    pause.toNanos(),
                    TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("The inventory is closed: no more sweeps");
        }
    }

    private void every(Duration period, Runnable task) {
        var unused = thread.scheduleWithFixedDelay(
                () -> guarded(period, task), period.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
    }

    private static void guarded(Duration period, Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) { // else there would be no more of it
            LOG.warn("The inventory's housekeeping failed, and is tried again in {}: {}", period, e.toString());
        }
    }

    /** Ends what is due, page by page, and returns how many reservations it ended. */
    int expireDue() {
        return sweep().ended();
    }

    private Sweep sweep() {
        Sweep sweep = Sweep.NOTHING;
        DueHold last = DueHold.FIRST;
        while (true) {
            DueHold from = last;
            List<DueHold> due = database.ask((tables, connection) -> tables.due(connection, from, AT_ONCE));
            if (from.equals(DueHold.FIRST)) {
                monitor.expiryLag(lag(due));
            }
            sweep = sweep.plus(expire(due));
            if (due.size() < AT_ONCE) {
                return sweep;
            }
            last = due.get(due.size() - 1);
        }
    }

    private Duration lag(List<DueHold> due) {
        return due.isEmpty()
                ? Duration.ZERO
                : Duration.between(due.get(0).expiresAt().toInstant(ZoneOffset.UTC), monitor.now());
    }

    private Sweep expire(List<DueHold> due) {
        List<Submission> answers = new ArrayList<>(due.size());
        due.forEach(hold -> answers.add(submit.apply(new Expire(hold.id()))));
        Sweep sweep = Sweep.NOTHING;
        for (int i = 0; i < due.size(); i++) {
            Outcome outcome = answers.get(i).join();
            if (outcome instanceof Expired) {
                sweep = sweep.plus(answers.get(i).isRepeat() ? new Sweep(0, 1) : new Sweep(1, 0));
            } else {
                notEnded(due.get(i), outcome);
                sweep = sweep.plus(new Sweep(0, isEndedByOther(outcome) ? 1 : 0));
            }
        }
        return sweep;
    }

    private static boolean isEndedByOther(Outcome outcome) {
        return outcome instanceof Rejected rejected && rejected.why() != Rejection.BOOKS_DISAGREE;
    }

    /** What is only busy or out of reach is tried again by the next sweep, and gets some time for that. */
    private void notEnded(DueHold hold, Outcome outcome) {
        Instant expiredAt = hold.expiresAt().toInstant(ZoneOffset.UTC);
        boolean hopeless = outcome instanceof Rejected rejected && rejected.why() == Rejection.BOOKS_DISAGREE;
        boolean late = monitor.now().isAfter(expiredAt.plus(Reconciler.OVERDUE));
        if (hopeless || (late && !isEndedByOther(outcome))) {
            monitor.alert(new HoldOverdue(monitor.now(), hold.id(), expiredAt));
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
