package dev.lockstep.inventory;

import dev.lockstep.core.RetryPolicy;
import dev.lockstep.inventory.Outcome.Failed;
import dev.lockstep.inventory.Outcome.GaveUp;
import dev.lockstep.inventory.Outcome.GaveUp.Reason;
import java.time.Duration;
import java.util.List;

/** Each work in a transaction of its own, which is run again after a conflict as often as the policy says. */
final class OneByOne implements Procedure {
    /** Answers a work, or throws when it met a conflict and was not done. */
    @FunctionalInterface
    interface Attempt {
        void on(Work work) throws ConflictException, InterruptedException;
    }

    /** Where works go that meet conflicts too often. */
    interface Refuge {
        boolean wants(Work work);

        void take(Work work);
    }

    private final Parts parts;
    private final Attempt attempt;
    private final Refuge refuge;

    OneByOne(Parts parts, Attempt attempt, Refuge refuge) {
        this.parts = parts;
        this.attempt = attempt;
        this.refuge = refuge;
    }

    /** Reads without a lock, and writes only what nobody has changed since. */
    static OneByOne optimistic(Parts parts, Refuge refuge) {
        return new OneByOne(
                parts, work -> parts.clerk().settle(List.of(work), Reading.unlocked(work.deadline())), refuge);
    }

    /** Locks the rows first. */
    static OneByOne pessimistic(Parts parts) {
        return new OneByOne(
                parts,
                work -> parts.clerk().settle(List.of(work), Reading.locked(work.deadline())),
                new GivingUp(parts.settings().retries()));
    }

    @Override
    public void handleLater(Work work) {
        parts.workers().execute(() -> handle(work));
    }

    @Override
    public void handle(Work work) {
        if (!work.begin()) {
            return;
        }
        if (work.deadline().passed()) {
            work.timeOut();
            return;
        }
        try {
            parts.settings()
                    .retries()
                    .within(Duration.ofNanos(Math.max(1, work.deadline().remainingNanos())))
                    .call(() -> tried(work), error -> isWorthAnother(work, error), parts.clock());
        } catch (ConflictException e) {
            refuge.take(work);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            work.complete(new GaveUp(
                    work.requestId(),
                    Reason.INTERRUPTED,
                    parts.settings().retries().initial()));
        } catch (Exception e) {
            work.complete(new Failed(work.requestId(), e));
        }
    }

    private Work tried(Work work) throws ConflictException, InterruptedException {
        try {
            attempt.on(work);
            parts.contention().attempted(work, false);
            return work;
        } catch (ConflictException e) {
            parts.contention().attempted(work, true);
            throw e;
        }
    }

    private boolean isWorthAnother(Work work, Exception error) {
        return error instanceof ConflictException && !refuge.wants(work);
    }

    /** No refuge: the caller is told that others were faster. */
    record GivingUp(RetryPolicy retries) implements Refuge {
        @Override
        public boolean wants(Work work) {
            return false;
        }

        @Override
        public void take(Work work) {
            work.complete(new GaveUp(work.requestId(), Reason.CONFLICTS, retries.max()));
        }
    }
}
