package dev.lockstep.benchmarks.measure;

import dev.lockstep.core.LockKind;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The three levels that are locked. */
public enum BenchmarkKinds implements LockKind {
    USER(0, null),
    ACCOUNT(1, USER),
    RESOURCE(2, ACCOUNT);

    private final int rank;
    private final @Nullable BenchmarkKinds parent;

    BenchmarkKinds(int rank, @Nullable BenchmarkKinds parent) {
        this.rank = rank;
        this.parent = parent;
    }

    @Override
    public String prefix() {
        return switch (this) {
            case USER -> "user";
            case ACCOUNT -> "account";
            case RESOURCE -> "resource";
        };
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
