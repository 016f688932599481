package dev.lockstep.server.events;

import dev.lockstep.core.LockKey;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The keys that were waited for most in the last minutes. It remembers two spans of time, the current one and the one before, and in each a
 * limited number of keys: when there are more, the colder half is forgotten.
 */
final class HottestKeys {
    private static final int MOST_KEYS = 2_000;
    private static final int SHOWN = 20;
    private static final long SPAN_SECONDS = 150;

    private Map<LockKey, KeyHeat> before = Map.of();
    private Map<LockKey, KeyHeat> now = new HashMap<>();
    private long span;

    /** What is noted of a key in this second. */
    KeyHeat of(LockKey key, long second) {
        turnTo(second / SPAN_SECONDS);
        if (now.size() >= MOST_KEYS && !now.containsKey(key)) {
            forgetTheColder();
        }
        return now.computeIfAbsent(key, fresh -> new KeyHeat());
    }

    /** A clock that was set back changes nothing. */
    private void turnTo(long current) {
        if (current > span) {
            before = current == span + 1 ? now : Map.of();
            now = new HashMap<>();
            span = current;
        }
    }

    private void forgetTheColder() {
        now = new HashMap<>(now);
        now.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.comparingLong(KeyHeat::degree)))
                .limit(MOST_KEYS / 2)
                .map(Map.Entry::getKey)
                .toList()
                .forEach(now::remove);
    }

    List<ContentionView.HotKey> hottest(long second) {
        turnTo(second / SPAN_SECONDS);
        Map<LockKey, KeyHeat> sums = new HashMap<>();
        List.of(before, now)
                .forEach(some -> some.forEach((key, heat) ->
                        sums.computeIfAbsent(key, fresh -> new KeyHeat()).add(heat)));
        return sums.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(
                        Comparator.comparingLong(KeyHeat::degree).reversed()))
                .limit(SHOWN)
                .map(entry -> entry.getValue().of(entry.getKey()))
                .toList();
    }
}
