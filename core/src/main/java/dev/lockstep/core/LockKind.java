package dev.lockstep.core;

import java.util.Optional;

/**
 * A kind of thing that can be locked, such as "user" or "account of a user". Applications declare theirs in an enum.
 *
 * <p>The rank says when locks of this kind are taken: lower ranks first, everywhere. Each kind has a rank of its own,
 * and a child's is greater than its parent's.
 */
public interface LockKind {
    /** The kind's name in keys: a lower-case letter, then lower-case letters, digits, '-' or '_'. */
    String prefix();

    /** The kind's place in the global order; zero or more. */
    int rank();

    /** The kind of the thing that contains this one; empty for a kind at the top. */
    default Optional<LockKind> parent() {
        return Optional.empty();
    }

    /** Whether nothing is ever locked below this kind. Stores without intent modes lock leaves more finely. */
    default boolean leaf() {
        return false;
    }

    /** The key of a thing of this kind, which must be a kind without a parent. */
    default LockKey key(String id) {
        return LockKey.root(this, id);
    }
}
