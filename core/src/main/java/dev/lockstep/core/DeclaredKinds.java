package dev.lockstep.core;

import dev.lockstep.core.spi.LockStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The kinds that were declared to the store, so that each is checked once and not with every request. */
final class DeclaredKinds {
    private final LockStore store;
    private final Map<LockKind, Boolean> declared = new ConcurrentHashMap<>();
    private @Nullable LockKind last; // a hint, so a race does no harm

    DeclaredKinds(LockStore store) {
        this.store = store;
    }

    void check(LockRequest request) {
        for (int i = 0; i < request.size(); i++) {
            LockKind kind = request.key(i).kind();
            if (kind != last) {
                if (!declared.containsKey(kind)) {
                    declare(kindsOf(request));
                }
                last = kind;
            }
        }
    }

    private static List<LockKind> kindsOf(LockRequest request) {
        return IntStream.range(0, request.size())
                .mapToObj(i -> request.key(i).kind())
                .distinct()
                .toList();
    }

    /** Declares kinds, all or none: one that a store records and then refuses to use would occupy its prefix and rank forever. */
    void declare(List<LockKind> kinds) {
        if (kinds.isEmpty()) {
            return;
        }
        List<KindDefinition> definitions = kinds.stream()
                .flatMap(kind -> KindDefinition.chain(kind).stream())
                .distinct()
                .toList();
        new KindRegistry().declare(definitions); // refuses kinds that contradict one another
        store.declare(definitions);
        kinds.forEach(kind -> declared.put(kind, Boolean.TRUE));
    }
}
