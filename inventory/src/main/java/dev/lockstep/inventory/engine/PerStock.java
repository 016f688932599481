package dev.lockstep.inventory.engine;

import dev.lockstep.core.Deadline;
import dev.lockstep.inventory.books.PendingCommand;
import dev.lockstep.inventory.books.ReadMode;
import dev.lockstep.inventory.sql.ConflictException;
import java.util.List;

/** Requests of one stock go together, under the lock of its row. */
record PerStock(StrategyContext context) implements Batching {
    static Combiner combiner(StrategyContext context) {
        return new Combiner(context, new PerStock(context), context.workers());
    }

    @Override
    public Object lane(PendingCommand work) {
        return work.lines().get(0).key();
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
