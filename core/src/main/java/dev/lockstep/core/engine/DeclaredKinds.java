package dev.lockstep.core.engine;

import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.internal.ApiAccess;
import dev.lockstep.core.spi.KindRegistry;
import dev.lockstep.core.spi.LockStore;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The kinds that were declared to the store, so that each is checked once and not with every request. They are remembered by their
 * definitions, of which there are few: an application may create a new object for each request.
 */
final class DeclaredKinds {
    private static final ApiAccess API = ApiAccess.get();
    private static final int RECENT = 16;

    private final LockStore store;
    private final Set<KindDefinition> declared = ConcurrentHashMap.newKeySet();

    /** Objects whose definitions are known to be declared; a hint, so a race does no harm. */
    private final @Nullable LockKind[] recent = new LockKind[RECENT];

    DeclaredKinds(LockStore store) {
        this.store = store;
    }

    void check(LockRequest request) {
        for (int i = 0; i < API.size(request); i++) {
            LockKind kind = API.key(request, i).kind();
            int place = System.identityHashCode(kind) & (RECENT - 1);
            if (recent[place] != kind) {
                if (!declared.contains(KindDefinition.of(kind))) {
                    declare(kindsOf(request));
                }
                recent[place] = kind;
            }
        }
    }

    private static List<LockKind> kindsOf(LockRequest request) {
        return IntStream.range(0, API.size(request))
                .mapToObj(i -> API.key(request, i).kind())
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
        declared.addAll(definitions);
    }
}
