package dev.lockstep.cli.verify;

import dev.lockstep.core.LockKind;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The kinds of the trial: a hierarchy of three levels, and two flat kinds that rank above it. */
public enum TrialKind implements LockKind {
    /** At the top. */
    USER(0, null),
    /** Of a user. */
    ACCOUNT(1, USER),
    /** Of an account. */
    RESOURCE(2, ACCOUNT),
    /** Alone. */
    CHARACTER(3, null),
    /** Alone, and taken after a character. */
    EQUIPMENT(4, null);

    private final int rank;
    private final @Nullable TrialKind parent;

    TrialKind(int rank, @Nullable TrialKind parent) {
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

    @Override
    public boolean leaf() {
        return rank >= RESOURCE.rank;
    }
}
