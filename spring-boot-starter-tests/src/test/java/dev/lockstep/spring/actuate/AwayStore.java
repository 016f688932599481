package dev.lockstep.spring.actuate;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockException;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.LockStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;

/** A store in memory that can be away, as a server can. */
final class AwayStore {
    private static final Set<String> ASKED =
            Set.of("ping", "acquire", "acquireAsync", "renew", "release", "snapshot", "declare");

    private final MemoryStore inner;
    private volatile boolean away;

    AwayStore(LockClock clock) {
        inner = MemoryStore.on(clock);
    }

    void leave() {
        away = true;
    }

    LockStore store() {
        return (LockStore) Proxy.newProxyInstance(
                LockStore.class.getClassLoader(), new Class<?>[] {LockStore.class}, (proxy, method, arguments) -> {
                    if (away && ASKED.contains(method.getName())) {
                        throw new LockException(ErrorCode.STORE_UNAVAILABLE, "It is away on purpose.", List.of(), null);
                    }
                    try {
                        return method.invoke(inner, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
