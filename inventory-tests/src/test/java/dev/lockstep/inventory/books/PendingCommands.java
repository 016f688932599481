package dev.lockstep.inventory.books;

import dev.lockstep.core.Deadline;
import dev.lockstep.core.LockClock;
import dev.lockstep.inventory.Command;
import dev.lockstep.inventory.Command.Adjust;
import dev.lockstep.inventory.Command.Receive;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Order;
import dev.lockstep.inventory.StockLine;
import java.time.Duration;
import java.util.List;

/** Works as the intake would make them, without a database. */
public final class PendingCommands {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private PendingCommands() {}

    public static PendingCommand of(Command command) {
        if (command instanceof Reserve reserve) {
            return of(command, Keys.merged(reserve.order().lines()));
        }
        if (command instanceof Receive receive) {
            return of(command, Keys.merged(receive.lines()));
        }
        return of(command, List.of(((Adjust) command).change()));
    }

    /** With the lines of the reservation that it is about. */
    public static PendingCommand of(Command command, List<StockLine> lines) {
        Deadline deadline = Deadline.in(PATIENCE, LockClock.system());
        return new PendingCommand(command, lines, Payload.hash(command, lines), PATIENCE, deadline);
    }

    public static PendingCommand reserve(String requestId, StockLine... lines) {
        return of(new Reserve(Order.of(lines), requestId));
    }
}
