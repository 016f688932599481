package dev.lockstep.testkit;

import dev.lockstep.core.LockKind;
import java.util.Optional;

/** A kind made up on the spot, right or wrong. */
record OddKind(String prefix, int rank, Optional<LockKind> parent) implements LockKind {
    static OddKind named(String prefix, int rank) {
        return new OddKind(prefix, rank, Optional.empty());
    }

    OddKind below(String childPrefix, int childRank) {
        return new OddKind(childPrefix, childRank, Optional.of(this));
    }
}
