package dev.lockstep.inventory.engine;

import dev.lockstep.inventory.books.PendingCommand;
import dev.lockstep.inventory.sql.ConflictException;
import java.util.List;

/** Which commands the {@link Combiner} settles together, and how. */
interface Batching {
    /** The name of the lane in which a command waits for its turn. */
    Object lane(PendingCommand work);

    /** Settles commands. Those that have no outcome after a conflict are settled again. */
    void settle(List<PendingCommand> works) throws ConflictException, InterruptedException;

    /** Notes that commands were settled together. */
    void settled(List<PendingCommand> works);
}
