package dev.lockstep.inventory.engine;

import dev.lockstep.core.LockClock;
import dev.lockstep.inventory.Shortage;
import dev.lockstep.inventory.Stock;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.StockLine;
import dev.lockstep.inventory.books.PendingCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Remembers stock for a moment, so that requests for a sold-out stock don't queue for the row. An entry is replaced only by one of
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

    /** Remembers a row as a transaction read it at that time, also if it is available: it outdates late reports of a sold-out one. */
    void saw(Stock stock, long nanos) {
        memories.merge(
                stock.key(),
                new Memory(stock, nanos, new AtomicBoolean()),
                (old, seen) -> old.stock().version() > seen.stock().version() ? old : seen);
    }

    /** The lines for which there isn't enough, as far as is remembered; empty when the row must be read. */
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
