package dev.lockstep.chaos;

import dev.lockstep.core.LockKey;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A key in a mode, as the checker sees it.
 *
 * @param path the key's text form
 * @param exclusive or shared
 */
record LockedKey(String path, boolean exclusive) {
    /** The keys of a field of a history; it may be empty. */
    static List<LockedKey> parse(String paths, boolean exclusive) {
        return Stream.of(paths.split(",", -1))
                .filter(path -> !path.isEmpty())
                .map(path -> new LockedKey(path, exclusive))
                .toList();
    }

    static String text(List<LockKey> keys) {
        return keys.stream().map(LockKey::toString).collect(Collectors.joining(","));
    }

    /** Whether two holders may not have both: one is in the other, or the same, and they are not both shared. */
    boolean conflictsWith(LockedKey other) {
        return (exclusive || other.exclusive) && isRelatedTo(other);
    }

    /** Whether one is in the other, or the same, in any mode. */
    boolean isRelatedTo(LockedKey other) {
        return isIn(other) || other.isIn(this);
    }

    private boolean isIn(LockedKey other) {
        return path.equals(other.path) || path.startsWith(other.path + "/");
    }
}
