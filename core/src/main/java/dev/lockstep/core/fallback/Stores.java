package dev.lockstep.core.fallback;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockException;
import dev.lockstep.core.spi.Epoch.Side;
import dev.lockstep.core.spi.KindRegistry;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.StoreTrait;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The two stores, and what both must know. */
final class Stores {
    private static final Logger LOG = LoggerFactory.getLogger(FallbackStore.class);

    private final Map<Side, LockStore> stores = new EnumMap<>(Side.class);
    private final KindRegistry kinds = new KindRegistry();
    private final Map<Side, Integer> declared = new ConcurrentHashMap<>();
    private volatile boolean areTwo;

    Stores(LockStore primary, LockStore secondary) {
        if (primary == secondary) {
            throw same("the same object");
        }
        stores.put(Side.PRIMARY, primary);
        stores.put(Side.SECONDARY, secondary);
    }

    private static InvalidRequestException same(String where) {
        return new InvalidRequestException(
                "Both stores of the pair are " + where
                        + ", so when one is unreachable the other is too. Give two stores on different servers, such as Redis and a database.");
    }

    LockStore at(Side side) {
        LockStore store = stores.get(side);
        if (store == null) {
            throw new IllegalStateException("No store at " + side);
        }
        return store;
    }

    LockClock clock() {
        return at(Side.PRIMARY).clock();
    }

    String name() {
        return at(Side.PRIMARY).name() + "+" + at(Side.SECONDARY).name();
    }

    /** In what either of them does less. */
    Set<StoreTrait> traits() {
        Set<StoreTrait> all = EnumSet.noneOf(StoreTrait.class);
        stores.values().forEach(store -> all.addAll(store.traits()));
        return all;
    }

    /** Refuses two stores that are one; they say where they are only when they can be reached. */
    void requireTwo() {
        if (areTwo) {
            return;
        }
        Optional<String> first = at(Side.PRIMARY).identity();
        if (first.isPresent() && first.equals(at(Side.SECONDARY).identity())) {
            throw same("at " + first.get());
        }
        areTwo = true;
    }

    // ---- kinds

    /** Declares kinds to both stores; an unreachable one gets them before it grants anything. */
    void declare(List<KindDefinition> definitions) {
        kinds.declare(definitions);
        for (Side side : Side.values()) {
            try {
                declareAt(side);
            } catch (LockException e) {
                if (!e.retryable()) {
                    throw e;
                }
                LOG.debug("Kinds are declared to {} when it is there", at(side).name(), e);
            }
        }
    }

    boolean isDeclaredAt(Side side) {
        return declared.getOrDefault(side, 0) >= kinds.definitions().size();
    }

    /** Declares to a store what it does not know yet. */
    void declareAt(Side side) {
        List<KindDefinition> all = kinds.definitions();
        if (!isDeclaredAt(side)) {
            at(side).declare(all);
            declared.merge(side, all.size(), Math::max);
        }
    }

    // ---- the end

    /** Releases what no holder relies on any more; what can't be released ends with its term. */
    void releaseQuietly(EpochGrant grant) {
        try {
            at(grant.side()).release(grant.inner());
        } catch (RuntimeException e) {
            LOG.debug("A lease of epoch {} was not released, and ends with its term", grant.epoch(), e);
        }
    }

    void close() {
        try {
            at(Side.PRIMARY).close();
        } finally {
            at(Side.SECONDARY).close();
        }
    }
}
