package dev.lockstep.cli.verify;

import dev.lockstep.cli.store.LockRows;
import dev.lockstep.core.LockKey;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Two sets of keys that meet in the same two rows. In the order of the keys, the first set comes to the rows in the order of the table, and
 * the second set in the opposite order.
 */
record CrossingRows(Pair along, Pair against) {
    /** Enough ids for many rows that two of them share, among {@link dev.lockstep.cli.store.Scratch#ROWS}. */
    private static final int IDS = 2000;

    /** A key of the lower row and one of the higher row. */
    record Pair(LockKey lower, LockKey higher) {
        boolean isAlong() {
            return lower.compareTo(higher) < 0;
        }

        List<LockKey> keys() {
            return List.of(lower, higher);
        }
    }

    /** Such sets of the behaviour's own keys. */
    static CrossingRows find(LockRows rows, String behaviour) {
        TreeMap<Integer, List<LockKey>> shared = IntStream.range(0, IDS)
                .mapToObj(i -> TrialKind.CHARACTER.key(behaviour + "-" + i))
                .collect(Collectors.groupingBy(rows::bucket, TreeMap::new, Collectors.toList()));
        shared.values().removeIf(keys -> keys.size() < 2);
        for (Map.Entry<Integer, List<LockKey>> low : shared.entrySet()) {
            for (List<LockKey> high : shared.tailMap(low.getKey(), false).values()) {
                CrossingRows found = of(low.getValue(), high);
                if (found.along.isAlong() && !found.against.isAlong()) {
                    return found;
                }
            }
        }
        throw new IllegalStateException("no sets of " + IDS + " ids cross");
    }

    private static CrossingRows of(List<LockKey> low, List<LockKey> high) {
        LockKey least = low.stream().min(LockKey::compareTo).orElseThrow();
        LockKey greatest = low.stream().max(LockKey::compareTo).orElseThrow();
        return new CrossingRows(
                new Pair(least, high.stream().max(LockKey::compareTo).orElseThrow()),
                new Pair(greatest, high.stream().min(LockKey::compareTo).orElseThrow()));
    }
}
