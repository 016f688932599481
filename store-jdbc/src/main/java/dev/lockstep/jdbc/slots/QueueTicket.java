package dev.lockstep.jdbc.slots;

import dev.lockstep.core.spi.StoreGrant;
import java.util.List;

/** A request's ticket for the head of this process's queues for some rows. */
public record QueueTicket(List<ServerLock> rows, StoreGrant grant) {}
