package dev.lockstep.jdbc;

import dev.lockstep.core.LockKey;
import dev.lockstep.core.OrderViolation;
import dev.lockstep.core.OrderViolationException;
import dev.lockstep.core.PlannedLock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a transaction of the caller's holds already. The rule is that of nested requests: held, or of a higher rank than all that is held. */
final class TransactionHoldings {
    private final Map<LockKey, ServerLock> held = new HashMap<>();
    private @Nullable ServerLock highest;

    /** What is left to take; refuses what goes against the order. */
    List<ServerLock> notHeld(List<ServerLock> wanted, String owner) {
        List<ServerLock> rest = new ArrayList<>(wanted.size());
        for (ServerLock lock : wanted) {
            ServerLock same = held.get(lock.row());
            if (same == null
                    && (highest == null || lock.row().rank() > highest.row().rank())) {
                rest.add(lock);
            } else if (same == null || (lock.exclusive() && !same.exclusive())) {
                throw violation(lock, same, owner);
            }
        }
        return rest;
    }

    private OrderViolationException violation(ServerLock asked, @Nullable ServerLock same, String owner) {
        ServerLock against = same != null || highest == null ? same : highest;
        PlannedLock before = against == null ? asked.wanted() : against.wanted();
        return new OrderViolationException(
                new OrderViolation(asked.wanted(), owner, Optional.empty(), before, owner, Optional.empty()));
    }

    void add(List<ServerLock> taken) {
        taken.forEach(lock -> held.put(lock.row(), lock));
        if (!taken.isEmpty()) {
            highest = taken.get(taken.size() - 1);
        }
    }

    List<PlannedLock> planned() {
        return held.values().stream().map(ServerLock::wanted).toList();
    }
}
