package dev.lockstep.core;

import dev.lockstep.core.internal.RankedConstant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link LockKind} says about itself, as stores record and compare it.
 *
 * @param parent the parent kind's prefix
 * @param level how many kinds stand above this one
 */
public record KindDefinition(String prefix, int rank, Optional<String> parent, int level, boolean leaf) {
    private static final Pattern PREFIX = Pattern.compile("[a-z][a-z0-9_-]{0,63}");

    /** Rejects what no store could keep. */
    public KindDefinition {
        if (!PREFIX.matcher(prefix).matches()) {
            throw new InvalidRequestException(
                    "The kind prefix '" + prefix + "' can't be used in a key. Write a"
                            + " lower-case letter followed by at most 63 lower-case letters, digits, '-' or '_', such as 'order-line'.");
        }
        if (rank < 0) {
            throw new InvalidRequestException(
                    "Kind '" + prefix + "' has rank " + rank + ". Give it a rank of zero or more.");
        }
    }

    /** Rejects what can't be the definition of a kind. */
    static void check(String prefix, int rank, Optional<LockKind> parent) {
        if (prefix == null) {
            throw new InvalidRequestException("The kind prefix is null. Write a name such as 'order-line'.");
        }
        if (parent.isEmpty()) {
            KindDefinition unused = new KindDefinition(prefix, rank, Optional.empty(), 0, false);
        } else {
            KindDefinition unused = below(of(parent.get()), prefix, rank, false);
        }
    }

    /** The definition of one kind. */
    public static KindDefinition of(LockKind kind) {
        List<KindDefinition> chain = chain(kind);
        return chain.get(chain.size() - 1);
    }

    /** The definitions of a kind and all kinds above it, the top one first. */
    public static List<KindDefinition> chain(LockKind kind) {
        List<LockKind> kinds = new ArrayList<>();
        for (@Nullable LockKind each = kind; each != null; each = each.parent().orElse(null)) {
            kinds.add(0, each);
            if (kinds.size() > 1_000) {
                throw new InvalidRequestException(
                        "Kind '" + kind.prefix() + "' is its own ancestor. Give the topmost kind no parent.");
            }
        }
        List<KindDefinition> chain = new ArrayList<>();
        @Nullable KindDefinition above = null;
        for (LockKind each : kinds) {
            RankedConstant.check(each);
            above = below(above, each);
            chain.add(above);
        }
        return List.copyOf(chain);
    }

    private static KindDefinition below(@Nullable KindDefinition above, LockKind kind) {
        return above == null
                ? new KindDefinition(kind.prefix(), kind.rank(), Optional.empty(), 0, kind.leaf())
                : below(above, kind.prefix(), kind.rank(), kind.leaf());
    }

    private static KindDefinition below(KindDefinition above, String prefix, int rank, boolean leaf) {
        if (above.leaf) {
            throw new InvalidRequestException("Kind '" + prefix + "' has the parent '" + above.prefix
                    + "', which is declared as a leaf. Take leaf() off '" + above.prefix + "'.");
        }
        if (rank <= above.rank) {
            throw new InvalidRequestException("Kind '" + prefix + "' has rank " + rank
                    + ", which is not above its parent '" + above.prefix + "' with rank " + above.rank
                    + ". Give it a rank of " + (above.rank + 1) + " or more.");
        }
        return new KindDefinition(prefix, rank, Optional.of(above.prefix), above.level + 1, leaf);
    }

    @Override
    public String toString() {
        return "%s (rank %d, %s, level %d%s)"
                .formatted(
                        prefix,
                        rank,
                        parent.map(p -> "child of " + p).orElse("no parent"),
                        level,
                        leaf ? ", leaf" : "");
    }
}
