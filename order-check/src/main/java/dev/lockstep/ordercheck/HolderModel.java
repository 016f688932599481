package dev.lockstep.ordercheck;

import org.jspecify.annotations.Nullable;

/** Whose locks they are: a thread's, or those of what is bound to a lease. What its parents hold counts for it. */
final class HolderModel {
    private final @Nullable HolderModel parent;

    HolderModel(@Nullable HolderModel parent) {
        this.parent = parent;
    }

    @Nullable
    HolderModel parent() {
        return parent;
    }

    boolean sees(HolderModel other) {
        for (HolderModel each = this; each != null; each = each.parent) {
            if (each == other) {
                return true;
            }
        }
        return false;
    }
}
