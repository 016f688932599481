package dev.lockstep.testkit;

import dev.lockstep.core.LockKind;
import java.util.Locale;

/** The contract's flat kinds, ranked above the hierarchy so that both fit into one store. */
enum Named implements LockKind {
    CHARACTER(11),
    EQUIPMENT(12),
    CUBE(13),
    DONATION(14),
    LIKE(15);

    private final int rank;

    Named(int rank) {
        this.rank = rank;
    }

    @Override
    public String prefix() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public boolean leaf() {
        return true;
    }
}
