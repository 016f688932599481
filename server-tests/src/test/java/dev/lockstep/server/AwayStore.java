package dev.lockstep.server;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockException;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.EpochRegister;
import dev.lockstep.core.spi.LockStore;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** A store in memory that can be away, as a server can, and its register with it. */
public final class AwayStore {
    private static final Set<String> ASKED = Set.of(
            "ping",
            "acquire",
            "acquireAsync",
            "renew",
            "release",
            "snapshot",
            "declare",
            "read",
            "replace",
            "requireUsable");

    private final String name;
    private final MemoryStore inner;
    private volatile boolean away;
    private volatile CountDownLatch releases = new CountDownLatch(0);

    public AwayStore(String name, LockClock clock) {
        this.name = name;
        inner = MemoryStore.on(clock);
    }

    public void leave() {
        away = true;
    }

    public void comeBack() {
        away = false;
    }

    /** Releases wait until the result is counted down. */
    public CountDownLatch holdReleases() {
        CountDownLatch held = new CountDownLatch(1);
        releases = held;
        return held;
    }

    public LockStore store() {
        return made(LockStore.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "name" -> name;
            case "epochs" -> inner.epochs((String) arguments[0]).map(this::register);
            default -> call(inner, method, arguments);
        });
    }

    private EpochRegister register(EpochRegister kept) {
        return made(EpochRegister.class, (proxy, method, arguments) -> call(kept, method, arguments));
    }

    private @Nullable Object call(Object target, Method method, Object @Nullable [] arguments) throws Throwable {
        if (away && ASKED.contains(method.getName())) {
            throw new LockException(ErrorCode.STORE_UNAVAILABLE, name + " is away on purpose.", List.of(), null);
        }
        if (method.getName().equals("release")) {
            releases.await();
        }
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw Optional.ofNullable(e.getCause()).orElse(e);
        }
    }

    private static <T> T made(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
