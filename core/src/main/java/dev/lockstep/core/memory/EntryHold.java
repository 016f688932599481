package dev.lockstep.core.memory;

import dev.lockstep.core.LockMode;
import org.jspecify.annotations.Nullable;

/** One claim at one entry: a link in the list of the entry's holders, or in its queue. The mode of a holder may become weaker. */
final class EntryHold {
    final Claim claim;
    final LockEntry entry;
    LockMode mode;

    @Nullable
    EntryHold previous;

    @Nullable
    EntryHold next;

    /** What the claim took before this. */
    @Nullable
    EntryHold earlier;

    EntryHold(Claim claim, LockEntry entry, LockMode mode) {
        this.claim = claim;
        this.entry = entry;
        this.mode = mode;
    }
}
