package dev.lockstep.core;

import dev.lockstep.core.spi.LockStore;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The kinds that the store has been told of, so that each is checked once and not with every request. */
final class DeclaredKinds {
    private final LockStore store;
    private final Map<LockKind, Boolean> declared = new ConcurrentHashMap<>();
    private @Nullable LockKind last; // a hint, so a race does no harm

    DeclaredKinds(LockStore store) {
        this.store = store;
    }

    void check(LockRequest request) {
        for (int i = 0; i < request.size(); i++) {
            check(request.key(i).kind());
        }
    }

    void check(LockKind kind) {
        if (kind != last) {
            if (!declared.containsKey(kind)) {
                store.declare(KindDefinition.chain(kind));
                declared.put(kind, Boolean.TRUE);
            }
            last = kind;
        }
    }
}
