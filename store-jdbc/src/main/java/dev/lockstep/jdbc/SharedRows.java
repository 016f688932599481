package dev.lockstep.jdbc;

import dev.lockstep.core.LockKey;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts requests that were held up only because another key uses the same row, as far as this process can know. */
final class SharedRows {
    private static final int SHOWN = 10;

    /** When there are as many rows, those that only one request waited for are forgotten. */
    private static final int MOST_COUNTED = 10_000;

    private final Collection<JdbcGrant> grants;
    private final LongAdder count = new LongAdder();
    private final Map<Long, LongAdder> bySlot = new ConcurrentHashMap<>();

    SharedRows(Collection<JdbcGrant> grants) {
        this.grants = grants;
    }

    long count() {
        return count.sum();
    }

    /** Those with the most waits, the first one with the most. */
    List<SharedRow> hottest() {
        return bySlot.entrySet().stream()
                .map(row -> new SharedRow(
                        (int) (row.getKey() >>> 32),
                        row.getKey().intValue(),
                        row.getValue().sum()))
                .sorted(Comparator.comparingLong(SharedRow::waits).reversed())
                .limit(SHOWN)
                .toList();
    }

    private void count(ServerLock lock) {
        count.increment();
        if (bySlot.size() >= MOST_COUNTED) {
            bySlot.values().removeIf(waits -> waits.sum() <= 1);
        }
        if (bySlot.size() < MOST_COUNTED || bySlot.containsKey(lock.slot())) {
            bySlot.computeIfAbsent(lock.slot(), unused -> new LongAdder()).increment();
        }
    }

    /** To be called when a request finds one of its rows taken. */
    void heldUp(List<ServerLock> wanted) {
        for (ServerLock lock : wanted) {
            List<JdbcGrant> holders = grants.stream()
                    .filter(grant -> grant.locks.stream().anyMatch(held -> held.conflictsWith(lock)))
                    .toList();
            if (!holders.isEmpty()) {
                if (holders.stream()
                        .noneMatch(grant -> names(grant, lock.wanted().key()))) {
                    count(lock);
                }
                return;
            }
        }
    }

    private static boolean names(JdbcGrant grant, LockKey key) {
        return grant.request.plan().locks().stream().anyMatch(lock -> lock.key().equals(key));
    }
}
