package dev.lockstep.jdbc;

import dev.lockstep.core.LockKey;
import dev.lockstep.core.OrderViolation;
import dev.lockstep.core.OrderViolationException;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.jdbc.slots.ServerLock;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What a transaction of the caller's holds already. The rule is that of nested requests: held, or of a higher rank than all that is held. */
final class TransactionHoldings {
    private final Map<LockKey, ServerLock> held = new HashMap<>();
    private @Nullable ServerLock highest;

    boolean isEmpty() {
        return held.isEmpty();
    }

    /** Refuses locks that are neither held nor rank above all that is held. */
    void requireOrder(List<ServerLock> wanted, String owner) {
        for (ServerLock lock : wanted) {
            if (!isInOrder(lock)) {
                throw violation(lock, held.get(lock.row()), owner);
            }
        }
    }

    boolean areInOrder(List<ServerLock> wanted) {
        return wanted.stream().allMatch(this::isInOrder);
    }

    private boolean isInOrder(ServerLock lock) {
        ServerLock same = held.get(lock.row());
        boolean above = highest == null || lock.row().rank() > highest.row().rank();
        return same == null ? above : same.exclusive() || !lock.exclusive();
    }

    private OrderViolationException violation(ServerLock asked, @Nullable ServerLock same, String owner) {
        ServerLock against = same != null || highest == null ? same : highest;
        PlannedLock before = against == null ? asked.wanted() : against.wanted();
        return new OrderViolationException(
                new OrderViolation(asked.wanted(), owner, Optional.empty(), before, owner, Optional.empty()));
    }

    void add(List<ServerLock> acquired) {
        acquired.forEach(lock -> held.merge(lock.row(), lock, (old, same) -> old.exclusive() ? old : same));
        updateHighest();
    }

    /** Forgets what is not held any more. */
    void retain(Predicate<ServerLock> stillHeld) {
        held.values().removeIf(stillHeld.negate());
        updateHighest();
    }

    private void updateHighest() {
        highest = held.values().stream()
                .max(Comparator.comparing(ServerLock::row))
                .orElse(null);
    }

    List<PlannedLock> planned() {
        return held.values().stream().map(ServerLock::wanted).toList();
    }
}
