package dev.lockstep.core;

import java.util.Optional;

/**
 * A kind that is made of values, for applications that need no enum: see {@link LockKind#of}.
 *
 * @param prefix the kind's name in keys
 * @param rank the kind's place in the lock order
 * @param parent the kind of the thing that contains this one
 * @param leaf whether nothing is ever locked below this kind
 */
public record NamedKind(String prefix, int rank, Optional<LockKind> parent, boolean leaf) implements LockKind {
    /**
     * Checks the name, the rank, and that the rank is above the parent's.
     *
     * @throws InvalidRequestException if one of them is invalid, with what to write instead
     */
    public NamedKind {
        KindDefinition.check(prefix, rank, parent);
    }

    /**
     * The same kind inside another one, whose rank must be lower.
     *
     * @throws InvalidRequestException if it is not, or if the parent is a leaf
     */
    public NamedKind in(LockKind container) {
        return new NamedKind(prefix, rank, Optional.of(container), leaf);
    }

    /** The same kind, with nothing ever locked below it; stores without intent modes lock such kinds more finely. */
    public NamedKind asLeaf() {
        return new NamedKind(prefix, rank, parent, true);
    }
}
