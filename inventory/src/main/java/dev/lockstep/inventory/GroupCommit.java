package dev.lockstep.inventory;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests of any stock go together: all rows are locked by one statement, changed by another, and committed once. It never waits for a row.
 * A row that another transaction has locked is skipped, and so no locked row delays other stock and no order of locks can deadlock; the
 * commands that need it, or a row that is missing, go to the lane of their stock. So do all commands of a transaction that met a conflict.
 *
 * <p>Commands whose first stock is the same share a lane, so that they don't skip each other.
 */
final class GroupCommit implements Batching {
    private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);
    private static final int LANES = 4;

    private final StrategyContext context;
    private final Combiner perStock;

    private GroupCommit(StrategyContext context) {
        this.context = context;
        perStock = Combiner.perStock(context);
    }

    static Combiner combiner(StrategyContext context) {
        return new Combiner(context, new GroupCommit(context));
    }

    @Override
    public Object lane(PendingCommand work) {
        return Math.floorMod(work.lines().get(0).key().hashCode(), LANES);
    }

    @Override
    public void settle(List<PendingCommand> works) throws InterruptedException {
        try {
            context.runner().settle(works, ReadMode.SKIPPING);
        } catch (ConflictException e) {
            LOG.debug("Requests that were to be committed together met a conflict", e);
        }
        works.forEach(work -> {
            boolean skipped = work.isOpen();
            context.contention().attempted(work, skipped);
            if (skipped) {
                work.requeue();
                perStock.handleLater(work);
            }
        });
    }

    @Override
    public void settled(List<PendingCommand> works) {} // each was counted
}
