package dev.lockstep.jdbc;

import dev.lockstep.core.LockKey;
import dev.lockstep.jdbc.slots.ServerLock;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** Counts requests that were held up only because another key uses the same row, as far as this process can know. */
final class SharedRows {
    private static final int SHOWN = 10;

    /** When there are as many rows, all counts are halved for a new one, so that those which are in demand now displace the others. */
    static final int MOST_COUNTED = 10_000;

    private static final long HALVED_EVERY = TimeUnit.SECONDS.toNanos(1);

    private final Collection<JdbcGrant> grants;
    private final LongSupplier nanos;
    private final LongAdder count = new LongAdder();
    private final Map<Long, Long> bySlot = new ConcurrentHashMap<>();
    private final AtomicLong halvedAt;

    SharedRows(Collection<JdbcGrant> grants, LongSupplier nanos) {
        this.grants = grants;
        this.nanos = nanos;
        halvedAt = new AtomicLong(nanos.getAsLong() - HALVED_EVERY);
    }

    long count() {
        return count.sum();
    }

    /** Those with the most waits, the first one with the most. */
    List<SharedRow> hottest() {
        return bySlot.entrySet().stream()
                .map(row ->
                        new SharedRow((int) (row.getKey() >>> 32), row.getKey().intValue(), row.getValue()))
                .sorted(Comparator.comparingLong(SharedRow::waits).reversed())
                .limit(SHOWN)
                .toList();
    }

    void count(long slot) {
        count.increment();
        boolean counted = bySlot.containsKey(slot);
        if (!counted && bySlot.size() >= MOST_COUNTED) {
            halve();
        }
        if (counted || bySlot.size() < MOST_COUNTED) {
            bySlot.merge(slot, 1L, Long::sum);
        }
    }

    private void halve() {
        long now = nanos.getAsLong();
        long last = halvedAt.get();
        if (now - last >= HALVED_EVERY && halvedAt.compareAndSet(last, now)) {
            bySlot.replaceAll((slot, waits) -> waits / 2);
            bySlot.values().removeIf(waits -> waits == 0);
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
                    count(lock.slot());
                }
                return;
            }
        }
    }

    private static boolean names(JdbcGrant grant, LockKey key) {
        return grant.request.plan().locks().stream().anyMatch(lock -> lock.key().equals(key));
    }
}
