package dev.lockstep.etcd;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** All entries of a namespace at one revision: those of each key in the order in which they came. */
final class EntryTable {
    private final Map<String, List<StoredEntry>> byKey = new LinkedHashMap<>();
    private final Map<UUID, List<StoredEntry>> byLease = new LinkedHashMap<>();
    private final Set<StoredEntry> waiting = new HashSet<>();
    private final Map<UUID, StoredEntry> waiters = new HashMap<>();
    private final Map<UUID, List<UUID>> heldUpBy = new HashMap<>();

    private volatile @Nullable Set<UUID> cyclic;

    EntryTable(List<StoredEntry> entries) {
        for (StoredEntry each : entries) {
            byKey.computeIfAbsent(each.key(), any -> new ArrayList<>()).add(each);
            byLease.computeIfAbsent(each.lease(), any -> new ArrayList<>()).add(each);
        }
        byKey.values().forEach(this::sort);
        waiting.forEach(each -> waiters.put(each.lease(), each));
        waiters.forEach((lease, entry) -> {
            holdUp(lease, lease);
            entry.record().outer().forEach(outer -> holdUp(outer, lease));
        });
    }

    private void holdUp(UUID holder, UUID waiter) {
        heldUpBy.computeIfAbsent(holder, any -> new ArrayList<>()).add(waiter);
    }

    /** Modes that came before are gathered, so that a long queue is passed once. */
    private void sort(List<StoredEntry> ofKey) {
        ofKey.sort(Comparator.comparingLong(StoredEntry::created));
        int modes = 0;
        for (StoredEntry each : ofKey) {
            if ((each.mode().conflicts() & modes) != 0) {
                waiting.add(each);
            }
            modes |= each.mode().bit();
        }
    }

    boolean isEmpty() {
        return byKey.isEmpty();
    }

    List<StoredEntry> all() {
        return byKey.values().stream().flatMap(List::stream).toList();
    }

    boolean waits(StoredEntry entry) {
        return waiting.contains(entry);
    }

    /** The entry at which a lease waits, if it does. */
    Map<UUID, StoredEntry> waiters() {
        return waiters;
    }

    /** Whether a lease waits in a cycle of waits. Found out for all of them when it is first asked for. */
    boolean waitsInCycle(UUID lease) {
        Set<UUID> found = cyclic;
        if (found == null) {
            found = CyclicWaits.of(this);
            cyclic = found;
        }
        return found.contains(lease);
    }

    /** The waiting leases that stand still while a lease keeps what it holds: itself, and those nested in it. */
    List<UUID> heldUpBy(UUID lease) {
        return heldUpBy.getOrDefault(lease, List.of());
    }

    List<StoredEntry> ofKey(String key) {
        return byKey.getOrDefault(key, List.of());
    }

    List<StoredEntry> ofLease(UUID lease) {
        return byLease.getOrDefault(lease, List.of());
    }
}
