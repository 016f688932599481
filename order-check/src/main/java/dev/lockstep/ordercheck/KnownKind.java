package dev.lockstep.ordercheck;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A kind whose prefix, rank and parents the source fixes.
 *
 * @param declaredIn the type that declares it; empty for one that no type declares
 */
record KnownKind(String prefix, int rank, @Nullable KnownKind parent, String declaredIn) {
    boolean isSame(KnownKind other) {
        return rank == other.rank && prefix.equals(other.prefix);
    }

    /** The kinds from the top down to this one. */
    List<KnownKind> chain() {
        List<KnownKind> chain = new ArrayList<>();
        for (KnownKind each = this; each != null; each = each.parent) {
            chain.add(0, each);
        }
        return chain;
    }

    KnownKind in(KnownKind container) {
        return new KnownKind(prefix, rank, container, declaredIn);
    }

    @Override
    public String toString() {
        return prefix + " (rank " + rank + ")";
    }
}
