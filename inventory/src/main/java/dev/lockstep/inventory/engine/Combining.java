package dev.lockstep.inventory.engine;

import dev.lockstep.inventory.books.PendingCommand;

/** Combines the requests of each stock, and beside them those of several stocks, which never wait for a row while they hold others. */
final class Combining implements SettlementStrategy {
    private final SettlementStrategy perStock;
    private final SettlementStrategy orders;

    Combining(StrategyContext context) {
        perStock = PerStock.combiner(context);
        orders = GroupCommit.ofOrders(context);
    }

    private SettlementStrategy of(PendingCommand work) {
        return work.lines().size() == 1 ? perStock : orders;
    }

    @Override
    public void handle(PendingCommand work) {
        of(work).handle(work);
    }

    @Override
    public void handleLater(PendingCommand work) {
        of(work).handleLater(work);
    }
}
