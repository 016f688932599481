package dev.lockstep.jdbc;

import dev.lockstep.core.LockKind;
import dev.lockstep.testkit.Tenancy;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Kinds of another application in the same database, some of them in conflict with {@link Tenancy}. */
enum Crafts implements LockKind {
    CUBE("cube", 30, null),
    FORGE("forge", 20, null),
    DEVICE("device", 7, Tenancy.ACCOUNT),
    OTHER_USER("user", 5, null),
    SAME_RANK_AS_ACCOUNT("guild", 1, null);

    private final String prefix;
    private final int rank;
    private final @Nullable Tenancy parent;

    Crafts(String prefix, int rank, @Nullable Tenancy parent) {
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
