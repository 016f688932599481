package dev.lockstep.inventory;

import dev.lockstep.core.LockClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Remembers for a moment what was seen, so that a crowd at an empty shelf doesn't queue for the row. A memory gives way only to one of
 * a higher version, and lives for 200 ms from when the row was read; from half that time on, one request goes past it to look.
 */
final class SoldOut {
    private static final long LIFE = TimeUnit.MILLISECONDS.toNanos(200);

    private record Memory(Stock stock, long at, AtomicBoolean probed) {
        long age(long nanos) {
            return nanos - at;
        }
    }

    private final Map<StockKey, Memory> memories = new ConcurrentHashMap<>();
    private final LockClock clock;

    SoldOut(LockClock clock) {
        this.clock = clock;
    }

    /** Notes what a transaction has seen that read its rows at that time. Full shelves too: they outdate what is told late of empty ones. */
    void saw(Stock stock, long nanos) {
        memories.merge(
                stock.key(),
                new Memory(stock, nanos, new AtomicBoolean()),
                (old, seen) -> old.stock().version() > seen.stock().version() ? old : seen);
    }

    /** Of what a work asks there isn't enough, as far as is remembered; nothing when someone should look. */
    List<Shortage> shortages(PendingCommand work) {
        List<Shortage> shortages = new ArrayList<>();
        for (StockLine line : work.lines()) {
            @Nullable Memory memory = memories.get(line.key());
            if (memory != null && memory.stock().available() < line.quantity() && holds(memory)) {
                shortages.add(new Shortage(
                        line.key(), line.quantity(), Math.max(0, memory.stock().available())));
            }
        }
        return shortages;
    }

    private boolean holds(Memory memory) {
        long age = memory.age(clock.nanos());
        return age < LIFE / 2 || (age < LIFE && !memory.probed().compareAndSet(false, true));
    }

    void forgetOld() {
        long nanos = clock.nanos();
        memories.values().removeIf(memory -> memory.age(nanos) >= LIFE);
    }
}
