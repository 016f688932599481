package dev.lockstep.server.events;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * Lets this many things of each sort through in each period, and counts the rest. People can't read thousands of lines a second, and
 * neither a page nor a server should have to carry them.
 */
final class Sampling<K> {
    private static final int MOST_SORTS = 50;

    private final int most;
    private final K other;
    private final Map<K, Long> seen = new HashMap<>();

    /** Sorts that are too many to be told apart all count as {@code other}. */
    Sampling(int most, K other) {
        this.most = most;
        this.other = other;
    }

    /** Whether this one is sent separately. */
    synchronized boolean lets(K sort) {
        K counted = seen.size() < MOST_SORTS || seen.containsKey(sort) ? sort : other;
        return seen.merge(counted, 1L, Long::sum) <= most;
    }

    /** Begins the next period: answers with what is made of each sort of which some were dropped. */
    synchronized <T> List<T> next(BiFunction<K, Long, T> sum) {
        List<T> sums = new ArrayList<>();
        seen.forEach((sort, count) -> {
            if (count > most) {
                sums.add(sum.apply(sort, count - most));
            }
        });
        seen.clear();
        return sums;
    }
}
