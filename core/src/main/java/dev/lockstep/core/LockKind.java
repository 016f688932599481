package dev.lockstep.core;

import dev.lockstep.core.internal.RankedConstant;
import java.util.Optional;

/**
 * A kind of thing that can be locked, such as "user" or "account of a user". Applications declare theirs with {@link #of}, or as constants of
 * an enum with {@link Ranked}; an enum may also override the methods.
 *
 * <p>The rank says when locks of this kind are taken: lower ranks first, everywhere. Each kind has its own rank,
 * and a child's is greater than its parent's.
 */
public interface LockKind {
    /** The kind's name in keys: a lower-case letter, then lower-case letters, digits, '-' or '_'. */
    default String prefix() {
        return RankedConstant.require(this).prefix();
    }

    /** The kind's place in the global order; zero or more. */
    default int rank() {
        return RankedConstant.require(this).rank();
    }

    /** The kind of the thing that contains this one; empty for a kind at the top. */
    default Optional<LockKind> parent() {
        return RankedConstant.of(this).flatMap(RankedConstant::parent);
    }

    /** Whether nothing is ever locked below this kind. Stores without intent modes lock leaves more finely. */
    default boolean leaf() {
        return RankedConstant.of(this).map(RankedConstant::leaf).orElse(false);
    }

    /**
     * A kind with this name and rank, for example {@code LockKind.of("order", 1)}. Keep it in a constant: all parts of an application must agree on
     * it. {@link NamedKind#in} puts it inside another kind.
     *
     * @param prefix a lower-case letter, then at most 63 lower-case letters, digits, '-' or '_'
     * @param rank its place in the lock order: zero or more, and different for each kind
     * @throws InvalidRequestException if the name or the rank is invalid
     */
    static NamedKind of(String prefix, int rank) {
        return new NamedKind(prefix, rank, Optional.empty(), false);
    }

    /** The key of a thing of this kind, which must be a kind without a parent. */
    default LockKey key(String id) {
        return LockKey.root(this, id);
    }
}
