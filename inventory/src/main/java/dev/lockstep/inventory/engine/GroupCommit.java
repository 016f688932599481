package dev.lockstep.inventory.engine;

import dev.lockstep.core.RetryPolicy;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.books.PendingCommand;
import dev.lockstep.inventory.books.ReadMode;
import dev.lockstep.inventory.sql.ConflictException;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests of any stock go together: all rows are locked by one statement, changed by another, and committed once. It never waits for a row.
 * A row that another transaction has locked is skipped, and so no locked row delays other stock and no order of locks can deadlock. The
 * commands that need it try again after a pause, in which it is usually unlocked.
 *
 * <p>Those that have skipped it a few times go to its lane, where they wait for this row alone and hold no other; the other rows that
 * they need are again skipped if they are locked. So do, on the usual threads, the commands that create rows, and all of a transaction that met
 * a conflict. An order of several rows that are nearly always locked may find all of them free too rarely, and time out.
 *
 * <p>Commands whose first stock is the same share a lane, so that they don't skip each other.
 */
final class GroupCommit implements Batching {
    private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);
    private static final int LANES = 4;
    private static final RetryPolicy AGAIN = RetryPolicy.exponential(Duration.ofMillis(5), 2, Duration.ofMillis(100))
            .withJitter(0.5);
    private static final int MOST_SKIPS = 3;

    private final StrategyContext context;
    private final Combiner together;
    private final Combiner perRow;
    private final Combiner perSkippedRow;

    private GroupCommit(StrategyContext context) {
        this.context = context;
        together = new Combiner(context, this, context.workers());
        perRow = new Combiner(context, new PerRow(), context.workers());
        perSkippedRow = new Combiner(context, new PerRow(), context.slowWorkers());
    }

    static Combiner combiner(StrategyContext context) {
        return new GroupCommit(context).together;
    }

    @Override
    public Object lane(PendingCommand work) {
        return Math.floorMod(work.lines().get(0).key().hashCode(), LANES);
    }

    @Override
    public void settle(List<PendingCommand> works) throws InterruptedException {
        boolean conflict = false;
        int[] before = works.stream().mapToInt(PendingCommand::skips).toArray();
        try {
            context.runner().settle(works, ReadMode.SKIPPING);
        } catch (ConflictException e) {
            LOG.debug("Requests that were to be committed together met a conflict", e);
            conflict = true;
        }
        for (int i = 0; i < before.length; i++) {
            PendingCommand work = works.get(i);
            boolean left = work.isOpen();
            context.contention().attempted(work, left);
            if (left && !conflict && work.skips() > before[i]) {
                tryLater(work);
            } else if (left) {
                work.requeue();
                perRow.handleLater(work);
            }
        }
    }

    private void tryLater(PendingCommand work) {
        work.requeue();
        Combiner next = work.skips() > MOST_SKIPS ? perSkippedRow : together;
        int attempts = Math.max(1, work.skips()); // a commit in doubt leaves commands that skipped none
        context.timer().after(AGAIN.pauseAfter(attempts), context.workers(), () -> {
            if (work.deadline().passed()) {
                work.late();
            } else {
                next.handleLater(work);
            }
        });
    }

    @Override
    public void settled(List<PendingCommand> works) {} // each was counted

    /** Requests that wait for the same row go together. */
    private final class PerRow implements Batching {
        @Override
        public Object lane(PendingCommand work) {
            return work.awaited();
        }

        @Override
        public void settle(List<PendingCommand> works) throws ConflictException, InterruptedException {
            StockKey row = works.get(0).awaited();
            context.runner().settle(works, ReadMode.lockedFirst(row, PerStock.earliest(works)));
            works.stream().filter(PendingCommand::isOpen).forEach(GroupCommit.this::tryLater);
        }

        @Override
        public void settled(List<PendingCommand> works) {
            context.contention().combined(works);
        }
    }
}
