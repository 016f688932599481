package dev.lockstep.spring.samples;

import dev.lockstep.core.LockKind;
import java.util.Locale;
import java.util.Optional;

/** What the samples lock. */
public enum Tenancy implements LockKind {
    USER,
    ACCOUNT;

    @Override
    public String prefix() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public int rank() {
        return this == USER ? 0 : 1;
    }

    @Override
    public Optional<LockKind> parent() {
        return this == USER ? Optional.empty() : Optional.of(USER);
    }
}
