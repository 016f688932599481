package dev.lockstep.core;

import java.util.Optional;

/** Kinds for tests: a tree of four levels, whose ranks leave gaps, and a flat kind between them. */
public enum Estate implements LockKind {
    USER("user", 1, null),
    ITEM("item", 2, null),
    ACCOUNT("account", 5, USER),
    RESOURCE("resource", 30, ACCOUNT),
    PART("part", 100, RESOURCE);

    private final String prefix;
    private final int rank;
    private final Estate parent;

    Estate(String prefix, int rank, Estate parent) {
        this.prefix = prefix;
        this.rank = rank;
        this.parent = parent;
    }

    @Override
    public String prefix() {
        return prefix;
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public Optional<LockKind> parent() {
        return Optional.ofNullable(parent);
    }
}
