package dev.lockstep.examples;

import dev.lockstep.core.LockKind;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The kinds of the hierarchy: users have accounts, and accounts have resources. */
// tag::kinds
public enum Tenancy implements LockKind {
    USER(0, null),
    ACCOUNT(1, USER),
    RESOURCE(2, ACCOUNT);

    private final int rank;
    private final @Nullable Tenancy parent;

    Tenancy(int rank, @Nullable Tenancy parent) {
        this.rank = rank;
        this.parent = parent;
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
    public Optional<LockKind> parent() {
        return Optional.ofNullable(parent);
    }
}
// end::kinds
