package dev.lockstep.inventory;

import dev.lockstep.core.LockKind;
import java.util.Optional;

/** The kinds of lock that stock is under with {@link Strategy#LOCKED}, and in whose order rows are locked with every strategy. */
public enum StockKind implements LockKind {
    /** A thing that is sold, wherever it lies. */
    SKU("stock-sku", 10_000),
    /** A place where a SKU lies. */
    LOCATION("stock-location", 10_001);

    private final String prefix;
    private final int rank;

    StockKind(String prefix, int rank) {
        this.prefix = prefix;
        this.rank = rank;
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
        return this == LOCATION ? Optional.of(SKU) : Optional.empty();
    }

    @Override
    public boolean leaf() {
        return this == LOCATION;
    }
}
