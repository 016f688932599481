package dev.lockstep.inventory.engine;

import dev.lockstep.core.Deadline;
import dev.lockstep.inventory.books.PendingCommand;
import dev.lockstep.inventory.books.ReadMode;
import dev.lockstep.inventory.sql.ConflictException;
import java.util.List;

/** Requests of one stock go together, under the lock of its row. Orders of several stocks share one lane. */
record PerStock(StrategyContext context) implements Batching {
    private static final Object ORDERS = "orders";

    @Override
    public Object lane(PendingCommand work) {
        return work.lines().size() == 1 ? work.lines().get(0).key() : ORDERS;
    }

    @Override
    public void settle(List<PendingCommand> works) throws ConflictException, InterruptedException {
        context.runner().settle(works, ReadMode.locked(earliest(works)));
    }

    static Deadline earliest(List<PendingCommand> works) {
        return works.stream()
                .map(PendingCommand::deadline)
                .reduce(Deadline::orEarlier)
                .orElseThrow();
    }

    @Override
    public void settled(List<PendingCommand> works) {
        context.contention().combined(works);
    }
}
