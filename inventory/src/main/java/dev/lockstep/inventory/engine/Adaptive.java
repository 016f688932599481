package dev.lockstep.inventory.engine;

import dev.lockstep.inventory.books.PendingCommand;

/** Optimistic for stock that is rarely contended for; combining for the rest, at once also for those who have just met a conflict. */
final class Adaptive implements SettlementStrategy, OneByOne.Refuge {
    private final Contention contention;
    private final OneByOne optimistic;
    private final Combiner combiner;

    Adaptive(StrategyContext context) {
        contention = context.contention();
        combiner = Combiner.perStock(context);
        optimistic = OneByOne.optimistic(context, this);
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
        return contention.isHigh(work) ? combiner : optimistic;
    }

    @Override
    public boolean wants(PendingCommand work) {
        return contention.isHigh(work);
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
