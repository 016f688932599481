package dev.lockstep.inventory.books;

import dev.lockstep.core.LockKey;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.StockLine;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Stock in the order of its locks, the one order in which all transactions lock rows. */
public final class Keys {
    private Keys() {}

    /** All that some commands need. */
    public static List<StockKey> of(List<PendingCommand> works) {
        if (works.size() == 1 && works.get(0).lines().size() == 1) {
            return List.of(works.get(0).lines().get(0).key());
        }
        Set<StockKey> keys = new HashSet<>();
        works.forEach(work -> work.lines().forEach(line -> keys.add(line.key())));
        return sorted(keys);
    }

    public static List<StockKey> sorted(Collection<StockKey> keys) {
        Map<LockKey, StockKey> locks = new HashMap<>();
        keys.forEach(key -> locks.put(key.lockKey(), key));
        return locks.keySet().stream().sorted().map(locks::get).toList();
    }

    /** The lines in that order, those of the same stock as one. Fails with an ArithmeticException when a sum overflows. */
    public static List<StockLine> merged(List<StockLine> lines) {
        if (lines.size() == 1) {
            return lines;
        }
        Map<StockKey, Long> sums = new HashMap<>();
        lines.forEach(line -> sums.merge(line.key(), line.quantity(), Math::addExact));
        List<StockLine> merged = new ArrayList<>(sums.size());
        sorted(sums.keySet()).forEach(key -> merged.add(new StockLine(key, sums.getOrDefault(key, 0L))));
        return merged;
    }
}
