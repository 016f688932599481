package dev.lockstep.examples;

import dev.lockstep.core.LockKind;
import java.util.List;

/** The source's enum of named locks and their global order: lower numbers first, everywhere. */
public enum LockType implements LockKind {
    CHARACTER(1, "character"),
    EQUIPMENT(2, "equipment"),
    CUBE(3, "cube"),
    DONATION(4, "donation"),
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

    @Override
    public boolean leaf() {
        return true;
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
