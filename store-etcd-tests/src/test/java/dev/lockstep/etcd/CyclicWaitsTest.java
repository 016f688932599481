package dev.lockstep.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.LockMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** All cycles at once are those that searches for each lease find. */
class CyclicWaitsTest {
    private static final int LEASES = 8;

    private static StoredEntry entry(String key, LockMode mode, UUID lease, Set<UUID> outer, long created) {
        EntryRecord record = new EntryRecord(Instant.EPOCH, "owner", Optional.empty(), outer, 1);
        return new StoredEntry(new Entries.Name(key, mode, lease), record, created, 1);
    }

    /** Leases that lock one key after the other at random until they wait; some are nested in others. */
    private static EntryTable table(Random random) {
        List<StoredEntry> entries = new ArrayList<>();
        Set<UUID> waiting = new HashSet<>();
        for (int step = 1; step <= 5 * LEASES; step++) {
            int number = random.nextInt(LEASES);
            UUID lease = new UUID(0, number);
            Set<UUID> outer = number % 3 == 2 ? Set.of(new UUID(0, number - 1)) : Set.of();
            String key = "key" + random.nextInt(4);
            LockMode mode = LockMode.values()[random.nextInt(LockMode.values().length)];
            boolean has = entries.stream()
                    .anyMatch(each -> each.key().equals(key) && each.lease().equals(lease));
            if (has || waiting.contains(lease)) {
                continue;
            }
            StoredEntry next = entry(key, mode, lease, outer, step);
            if (entries.stream().anyMatch(each -> each.key().equals(key) && next.isBehind(each))) {
                waiting.add(lease);
            }
            entries.add(next);
        }
        return new EntryTable(entries);
    }

    @Test
    @DisplayName("a waiting lease is found if and only if a search from it finds a cycle")
    void sameAsSearches() {
        int cycles = 0;
        for (int seed = 0; seed < 2_000; seed++) {
            EntryTable table = table(new Random(seed));
            Set<UUID> cyclic = CyclicWaits.of(table);
            for (UUID lease : table.waiters().keySet()) {
                boolean found = !new EntryCycleSearch(table, lease).find().isEmpty();
                assertThat(cyclic.contains(lease))
                        .as("seed %d, %s", seed, lease)
                        .isEqualTo(found);
                cycles += found ? 1 : 0;
            }
        }
        assertThat(cycles).isGreaterThan(1_000);
    }

    @Test
    @DisplayName("a long queue without a cycle is searched once for all that wait in it")
    void longQueue() {
        List<StoredEntry> entries = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            entries.add(entry("key", LockMode.EXCLUSIVE, new UUID(0, i), Set.of(), i + 1L));
        }
        EntryTable table = new EntryTable(entries);
        assertThat(table.waiters()).hasSize(entries.size() - 1);
        assertThat(CyclicWaits.of(table)).isEmpty();
    }
}
