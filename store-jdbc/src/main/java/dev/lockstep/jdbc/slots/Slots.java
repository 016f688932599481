package dev.lockstep.jdbc.slots;

import dev.lockstep.core.PlannedLock;
import dev.lockstep.core.spi.LockPlan;
import java.util.ArrayList;
import java.util.List;

/** Where on the server a lock is kept. */
@FunctionalInterface
public interface Slots {
    ServerLock of(PlannedLock lock);

    /** The locks of a plan as the server knows them, in the order in which they are taken. */
    default List<ServerLock> of(LockPlan plan) {
        List<ServerLock> locks = new ArrayList<>(plan.size());
        for (int i = 0; i < plan.size(); i++) {
            locks.add(of(new PlannedLock(plan.key(i), plan.mode(i))));
        }
        return ServerLock.inOrder(locks);
    }
}
