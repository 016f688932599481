package dev.lockstep.core.spi;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.KindMismatchException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The kinds that are known in one place, each prefix and each rank used once. A store keeps one, so that two users of the
 * store can't disagree about the order.
 */
public final class KindRegistry {
    private volatile Map<String, KindDefinition> byPrefix = Map.of();

    /** A registry that knows nothing yet. */
    public KindRegistry() {}

    /** Adds definitions, all or none; those already known must be the same. */
    public synchronized void declare(List<KindDefinition> definitions) {
        Map<String, KindDefinition> merged = new LinkedHashMap<>(byPrefix);
        for (KindDefinition definition : definitions) {
            merge(merged, definition);
        }
        byPrefix = merged;
    }

    private static void merge(Map<String, KindDefinition> known, KindDefinition added) {
        KindDefinition same = known.putIfAbsent(added.prefix(), added);
        if (Objects.equals(same, added)) {
            return;
        }
        if (same != null) {
            throw new KindMismatchException(same, added);
        }
        for (KindDefinition other : known.values()) {
            if (!other.prefix().equals(added.prefix()) && other.rank() == added.rank()) {
                throw new InvalidRequestException("Kinds '" + other.prefix() + "' and '" + added.prefix()
                        + "' both have rank " + added.rank() + ". Give each kind its own rank.");
            }
        }
    }

    /** The definition known under a prefix. */
    public Optional<KindDefinition> find(String prefix) {
        return Optional.ofNullable(byPrefix.get(prefix));
    }

    /** All definitions, in the order in which they were declared. */
    public List<KindDefinition> definitions() {
        return List.copyOf(byPrefix.values());
    }
}
