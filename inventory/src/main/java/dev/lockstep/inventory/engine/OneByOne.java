package dev.lockstep.inventory.engine;

import dev.lockstep.core.RetryPolicy;
import dev.lockstep.inventory.Outcome.Failed;
import dev.lockstep.inventory.Outcome.GaveUp;
import dev.lockstep.inventory.Outcome.GaveUp.Reason;
import dev.lockstep.inventory.books.PendingCommand;
import dev.lockstep.inventory.books.ReadMode;
import dev.lockstep.inventory.sql.ConflictException;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Each command in its own transaction, which is run again after a conflict as often as the policy says. A blocking caller pauses on
 * its own thread; a submitted command waits for its next attempt, and for its {@link Admission}, without a worker.
 */
final class OneByOne implements SettlementStrategy {
    private static final Logger LOG = LoggerFactory.getLogger(OneByOne.class);

    /** Answers a command, or throws when it met a conflict and was not done. */
    @FunctionalInterface
    interface Attempt {
        void on(PendingCommand work) throws ConflictException, InterruptedException;
    }

    /** Where commands go that meet conflicts too often. */
    interface Refuge {
        boolean wants(PendingCommand work);

        void take(PendingCommand work);

        /** The same without blocking this thread. */
        void takeLater(PendingCommand work);
    }

    /**
     * How a command is attempted.
     *
     * @param blocking on the thread of the caller, who waits
     * @param admission what a submitted command waits for first
     * @param admitted after its admission
     */
    record Way(Attempt blocking, Admission admission, Attempt admitted) {}

    private final StrategyContext context;
    private final Way way;
    private final Refuge refuge;

    OneByOne(StrategyContext context, Way way, Refuge refuge) {
        this.context = context;
        this.way = way;
        this.refuge = refuge;
    }

    /** Reads without a lock, and writes only what no other transaction has changed since. */
    static OneByOne optimistic(StrategyContext context, Refuge refuge) {
        Attempt attempt = unlocked(context);
        return new OneByOne(context, new Way(attempt, Admission.FREE, attempt), refuge);
    }

    private static Attempt unlocked(StrategyContext context) {
        return work -> context.runner().settle(List.of(work), ReadMode.unlocked(work.deadline()));
    }

    /** Locks the rows first. */
    static OneByOne pessimistic(StrategyContext context) {
        Attempt attempt = work -> context.runner().settle(List.of(work), ReadMode.locked(work.deadline()));
        return new OneByOne(context, new Way(attempt, new StockGate(), attempt), givingUp(context));
    }

    /** Acquires locks of {@link dev.lockstep.core.Locks} first. */
    static OneByOne locked(StrategyContext context) {
        UnderLocks locks = new UnderLocks(context.settings().locks().orElseThrow(), context.runner());
        return new OneByOne(context, new Way(locks, locks, unlocked(context)), givingUp(context));
    }

    static Refuge givingUp(StrategyContext context) {
        return new GivingUp(context.settings().retries());
    }

    @Override
    public void handleLater(PendingCommand work) {
        attemptLater(work, 1);
    }

    private void attemptLater(PendingCommand work, int attempt) {
        way.admission()
                .admit(
                        work,
                        leave -> context.workers().execute(() -> {
                            try {
                                attempt(work, attempt);
                            } finally {
                                end(leave);
                            }
                        }));
    }

    private static void end(Runnable admission) {
        try {
            admission.run();
        } catch (RuntimeException e) { // the outcome stands
            LOG.debug("Locks of the inventory could not be released", e);
        }
    }

    private void attempt(PendingCommand work, int attempt) {
        if (!begins(work)) {
            return;
        }
        try {
            tried(work, way.admitted());
        } catch (ConflictException e) {
            work.requeue();
            pauseOrTake(work, attempt, e);
        } catch (InterruptedException e) {
            interrupted(work);
        } catch (RuntimeException | Error e) {
            work.complete(new Failed(work.requestId(), e));
        }
    }

    private void pauseOrTake(PendingCommand work, int attempt, ConflictException conflict) {
        RetryPolicy retries = context.settings().retries();
        Duration pause = retries.pauseAfter(attempt);
        boolean timeLeft = work.deadline().remaining().compareTo(pause) > 0;
        if (isWorthAnother(work, conflict) && retries.allowsAfter(attempt) && timeLeft) {
            context.timer().after(pause, context.workers(), () -> attemptLater(work, attempt + 1));
        } else {
            refuge.takeLater(work);
        }
    }

    @Override
    public void handle(PendingCommand work) {
        if (!begins(work)) {
            return;
        }
        try {
            context.settings()
                    .retries()
                    .within(Duration.ofNanos(Math.max(1, work.deadline().remainingNanos())))
                    .call(() -> tried(work, way.blocking()), error -> isWorthAnother(work, error), context.clock());
        } catch (ConflictException e) {
            refuge.take(work);
        } catch (InterruptedException e) {
            interrupted(work);
        } catch (Exception e) {
            work.complete(new Failed(work.requestId(), e));
        }
    }

    private static boolean begins(PendingCommand work) {
        if (!work.begin()) {
            return false;
        }
        if (work.deadline().passed()) {
            work.timeOut();
            return false;
        }
        return true;
    }

    private void interrupted(PendingCommand work) {
        Thread.currentThread().interrupt();
        work.complete(new GaveUp(
                work.requestId(),
                Reason.INTERRUPTED,
                context.settings().retries().initial()));
    }

    private PendingCommand tried(PendingCommand work, Attempt attempt) throws ConflictException, InterruptedException {
        try {
            attempt.on(work);
            context.contention().attempted(work, false);
            return work;
        } catch (ConflictException e) {
            context.contention().attempted(work, true);
            throw e;
        }
    }

    private boolean isWorthAnother(PendingCommand work, Exception error) {
        return error instanceof ConflictException && !refuge.wants(work);
    }

    /** No refuge: the caller learns that others were faster. */
    record GivingUp(RetryPolicy retries) implements Refuge {
        @Override
        public boolean wants(PendingCommand work) {
            return false;
        }

        @Override
        public void take(PendingCommand work) {
            work.complete(new GaveUp(work.requestId(), Reason.CONFLICTS, retries.max()));
        }

        @Override
        public void takeLater(PendingCommand work) {
            take(work);
        }
    }
}
