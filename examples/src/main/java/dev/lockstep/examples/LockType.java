package dev.lockstep.examples;

import dev.lockstep.core.LockKind;
import dev.lockstep.core.Ranked;
import java.util.List;

/** The source's enum of named locks and their global order: lower numbers first, everywhere. */
public enum LockType implements LockKind {
    @Ranked(value = 1, leaf = true)
    CHARACTER(1, "character"),
    @Ranked(value = 2, leaf = true)
    EQUIPMENT(2, "equipment"),
    @Ranked(value = 3, leaf = true)
    CUBE(3, "cube"),
    @Ranked(value = 4, leaf = true)
    DONATION(4, "donation"),
    @Ranked(value = 5, leaf = true)
    LIKE(5, "like");

    private final int order;
    private final String prefix;

    LockType(int order, String prefix) {
        this.order = order;
        this.prefix = prefix;
    }

    @Override
    public int rank() {
        return order;
    }

    @Override
    public String prefix() {
        return prefix;
    }

    /** Such as {@code 02:equipment:B}. */
    public String getLockKey(String id) {
        return key(id).named();
    }

    /** The text forms, in the order in which the locks are taken. */
    public static List<String> sortLockKeys(List<LockKey> lockKeys) {
        var sorted = lockKeys.stream().map(LockKey::toKey).sorted();
        return sorted.map(dev.lockstep.core.LockKey::named).toList();
    }

    /** One thing to lock, as the source names it. */
    public record LockKey(LockType type, String id) {
        public String getFullKey() {
            return type.getLockKey(id);
        }

        dev.lockstep.core.LockKey toKey() {
            return type.key(id);
        }
    }
}
