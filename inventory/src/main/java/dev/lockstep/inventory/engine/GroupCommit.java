package dev.lockstep.inventory.engine;

import dev.lockstep.core.RetryPolicy;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.books.PendingCommand;
import dev.lockstep.inventory.books.ReadMode;
import dev.lockstep.inventory.engine.OneByOne.Refuge;
import dev.lockstep.inventory.sql.ConflictException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests of any stock go together: all rows are locked by one statement, changed by another, and committed once. It never waits for a row.
 * A row that another transaction has locked is skipped, and so no locked row delays other stock and no order of locks can deadlock. The
 * commands that need it try again after a pause, in which it is usually unlocked.
 *
 * <p>Those that have skipped it a few times go to its lane, where they wait for this row alone and hold no other; the other rows that
 * they need are again skipped if they are locked. So do, on the usual threads, the commands that create rows, and all of a transaction that met
 * a conflict. Orders of rows of which another one is locked each time wait for them in the order of the locks, a second at most.
 *
 * <p>Commands whose first stock is the same share a lane, so that they don't skip each other.
 */
final class GroupCommit implements Batching {
    private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);
    private static final int LANES = 4;
    private static final RetryPolicy AGAIN = RetryPolicy.exponential(Duration.ofMillis(5), 2, Duration.ofMillis(100))
            .withJitter(0.5);
    private static final int MOST_SKIPS = 3;
    /** Each time in the lane of a row, another one was locked. */
    private static final int MOST_SKIPS_IN_LANES = 5;

    private final StrategyContext context;
    private final int lanes;
    private final Consumer<List<PendingCommand>> counted;
    private final Refuge refuge;
    private final Combiner together;
    private final Combiner perRow;
    private final Combiner perSkippedRow;
    private final Combiner inOrder;

    private GroupCommit(StrategyContext context, int lanes, Consumer<List<PendingCommand>> counted, Refuge refuge) {
        this.context = context;
        this.lanes = lanes;
        this.counted = counted;
        this.refuge = refuge;
        together = new Combiner(context, this, context.workers());
        perRow = new Combiner(context, new PerRow(), context.workers());
        perSkippedRow = new Combiner(context, new PerRow(), context.slowWorkers());
        inOrder = new Combiner(context, new InOrder(), context.slowWorkers());
    }

    /** Of all commands. */
    static SettlementStrategy ofAll(StrategyContext context) {
        Contention contention = context.contention();
        Consumer<List<PendingCommand>> counted =
                works -> works.forEach(work -> contention.attempted(work, work.isOpen()));
        return new GroupCommit(context, LANES, counted, OneByOne.givingUp(context)).together;
    }

    /** Of orders of several stocks, beside commands that are combined per stock. */
    static SettlementStrategy ofOrders(StrategyContext context) {
        Contention contention = context.contention();
        Consumer<List<PendingCommand>> counted = works -> contention.combined(
                works.stream().filter(work -> !work.isOpen()).toList());
        return new GroupCommit(context, 1, counted, OneByOne.givingUp(context)).together;
    }

    /** Of commands of stock that is rarely contended for; the refuge takes those that are not. */
    static SettlementStrategy ofQuietStock(StrategyContext context, Refuge refuge) {
        return new GroupCommit(context, LANES, context.contention()::grouped, refuge).together;
    }

    @Override
    public Object lane(PendingCommand work) {
        return Math.floorMod(work.lines().get(0).key().hashCode(), lanes);
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
        counted.accept(works);
        for (int i = 0; i < before.length; i++) {
            PendingCommand work = works.get(i);
            if (work.isOpen() && !conflict && work.skips() > before[i]) {
                tryLater(work);
            } else if (work.isOpen()) {
                work.requeue();
                perRow.handleLater(work);
            }
        }
    }

    private void tryLater(PendingCommand work) {
        work.requeue();
        int attempts = Math.max(1, work.skips()); // a commit in doubt leaves commands that skipped none
        context.timer().after(AGAIN.pauseAfter(attempts), context.workers(), () -> {
            if (work.deadline().passed()) {
                work.late();
            } else if (refuge.wants(work)) {
                refuge.takeLater(work);
            } else {
                next(work).handleLater(work);
            }
        });
    }

    private Combiner next(PendingCommand work) {
        if (work.skips() <= MOST_SKIPS) {
            return together;
        }
        return work.skips() <= MOST_SKIPS_IN_LANES ? perSkippedRow : inOrder;
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

    /**
     * Orders that never find all their rows unlocked at once. Each of these rows was unlocked at some time, so none of them is locked for
     * long, and the wait for one delays those who need the others for a second at most.
     */
    private final class InOrder implements Batching {
        @Override
        public Object lane(PendingCommand work) {
            return "in order";
        }

        @Override
        public void settle(List<PendingCommand> works) throws InterruptedException {
            try {
                context.runner().settle(works, ReadMode.lockedBriefly());
            } catch (ConflictException e) {
                LOG.debug("Orders of rows that are often locked met a conflict", e);
            }
            works.stream().filter(PendingCommand::isOpen).forEach(work -> {
                work.requeue();
                perSkippedRow.handleLater(work);
            });
        }

        @Override
        public void settled(List<PendingCommand> works) {
            context.contention().combined(works);
        }
    }
}
