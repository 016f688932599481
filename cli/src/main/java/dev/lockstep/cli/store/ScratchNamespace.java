package dev.lockstep.cli.store;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.StoreTrait;
import dev.lockstep.redis.RedisLockStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** A namespace on Redis, and a second one that can be made to lose its memory. */
final class ScratchNamespace implements Scratch {
    private static final Duration REMOVAL = Duration.ofSeconds(30);

    private final Function<String, RedisLockStore> stores;
    private final String server;
    private final String name;

    /** What created each namespace, and removes it. */
    private final Map<String, RedisLockStore> created = new ConcurrentHashMap<>();

    private ScratchNamespace(Function<String, RedisLockStore> stores, String server, String name) {
        this.stores = stores;
        this.server = server;
        this.name = name;
    }

    /** A namespace whose name ends with the id, on the server of which {@code stores} gives a store for each namespace. */
    static ScratchNamespace create(Function<String, RedisLockStore> stores, String server, String id) {
        ScratchNamespace scratch = new ScratchNamespace(stores, server, "verify-" + id);
        scratch.created.put(scratch.name, stores.apply(scratch.name).createNamespace());
        return scratch;
    }

    @Override
    public String where() {
        return "the namespace " + name + " of " + server;
    }

    @Override
    public Set<StoreTrait> traits() {
        return stores.apply(name).traits();
    }

    @Override
    public LockStore store() {
        return stores.apply(name);
    }

    @Override
    public Optional<RestartableStore> restartable(Duration longestTerm) {
        String other = name + "-restart";
        RedisLockStore creator = created.computeIfAbsent(
                other, each -> stores.apply(each).longestTerm(longestTerm).createNamespace());
        return Optional.of(new RestartableStore() {
            @Override
            public LockStore store() {
                return stores.apply(other).longestTerm(longestTerm);
            }

            @Override
            public void restart() {
                creator.simulateRestart();
            }
        });
    }

    @Override
    public void close() {
        RuntimeException failure = null;
        for (Map.Entry<String, RedisLockStore> each : created.entrySet()) {
            try (RedisLockStore creator = each.getValue()) {
                remove(creator, each.getKey());
            } catch (RuntimeException e) {
                if (failure != null) {
                    e.addSuppressed(failure);
                }
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Parties that were given up may still release what they hold. */
    private static void remove(RedisLockStore store, String name) {
        long start = System.nanoTime();
        while (!store.removeNamespace()) {
            if (System.nanoTime() - start > REMOVAL.toNanos() || !isRested()) {
                throw new LockException(
                        ErrorCode.STORE_FAILED,
                        "Something is still held or waited for in the namespace " + name + ".",
                        List.of(),
                        null);
            }
        }
    }

    private static boolean isRested() {
        try {
            TimeUnit.MILLISECONDS.sleep(100);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
