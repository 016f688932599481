package dev.lockstep.spring.autoconfigure;

import dev.lockstep.core.Kinds;
import dev.lockstep.core.LockKind;

/** The kinds of a set, one by one. */
final class AllKinds {
    private AllKinds() {}

    static LockKind[] of(Kinds kinds) {
        return kinds.definitions().stream()
                .flatMap(definition -> kinds.find(definition.prefix()).stream())
                .toArray(LockKind[]::new);
    }
}
