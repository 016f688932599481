package dev.lockstep.inventory.engine;

import dev.lockstep.inventory.books.PendingCommand;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Optimistic for stock that is rarely contended for; combining for the rest, at once also for those who have just met a conflict. Orders of
 * several stocks, and all requests of quiet stock while many are in flight, share commits.
 */
final class Adaptive implements SettlementStrategy, OneByOne.Refuge {
    /** With fewer in flight, a commit of one's own is about as fast as a shared one. */
    private static final int MOST_ALONE = 16;

    private final Contention contention;
    private final OneByOne optimistic;
    private final Combiner combiner;
    private final SettlementStrategy grouped;
    private final AtomicInteger alone = new AtomicInteger();

    Adaptive(StrategyContext context) {
        contention = context.contention();
        combiner = PerStock.combiner(context);
        optimistic = OneByOne.optimistic(context, this);
        grouped = GroupCommit.ofQuietStock(context, this);
    }

    @Override
    public void handle(PendingCommand work) {
        choose(work).handle(work);
    }

    @Override
    public void handleLater(PendingCommand work) {
        choose(work).handleLater(work);
    }

    private SettlementStrategy choose(PendingCommand work) {
        if (work.lines().size() > 1) {
            return grouped;
        }
        if (contention.isHigh(work)) {
            return combiner;
        }
        if (alone.get() >= MOST_ALONE && !contention.isPinned(work)) {
            return grouped;
        }
        alone.incrementAndGet();
        var unused = work.answer().thenRun(alone::decrementAndGet);
        return optimistic;
    }

    /** Requests of one stock; an order of several waits for its rows elsewhere. */
    @Override
    public boolean wants(PendingCommand work) {
        return work.lines().size() == 1 && contention.isHigh(work);
    }

    /** Also after a few conflicts that don't make a rate: under the row's lock no request has to give up. */
    @Override
    public void take(PendingCommand work) {
        work.requeue();
        combiner.handle(work);
    }

    @Override
    public void takeLater(PendingCommand work) {
        work.requeue();
        combiner.handleLater(work);
    }
}
