package dev.lockstep.core.slots;

import dev.lockstep.core.Deadline;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.permits.Permits;
import dev.lockstep.core.spi.SharedNumbers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** How many permits there are: recorded in the store, and read again from time to time, because another process may change it. */
final class PermitCount {
    private static final long FRESH = TimeUnit.SECONDS.toNanos(5);
    private static final int NAME_BYTES = 600;

    private final LockKey key;
    private final String name;
    private final SharedNumbers numbers;
    private final LockClock clock;
    private final ReentrantLock reading = new ReentrantLock(); // so that what was read before a change doesn't undo it
    private volatile int count;
    private volatile long readAt;

    private PermitCount(LockKey key, int count, SharedNumbers numbers, LockClock clock) {
        this.key = key;
        this.count = count;
        this.numbers = numbers;
        this.clock = clock;
        name = "permits " + key;
        readAt = clock.nanos();
    }

    /**
     * Declares the number, which must be the same in all processes.
     *
     * @throws UnsupportedOperationException if the store can't record it, so that processes could disagree
     */
    static PermitCount declare(LockKey key, int count, SlotStore store) {
        requireCount(key, count);
        PermitCount declared = new PermitCount(key, count, numbersOf(key, store), store.clock());
        declared.requireShortName();
        long recorded = declared.recorded();
        if (recorded != count) {
            throw new InvalidRequestException("'" + key + "' has " + recorded + " permits, and " + count
                    + " are declared here. Nothing is held. Declare " + recorded
                    + " in every process, or change the number with permits(key, " + recorded + ").resize(" + count
                    + ").");
        }
        return declared;
    }

    private static SharedNumbers numbersOf(LockKey key, SlotStore store) {
        return store.numbers()
                .orElseThrow(
                        () -> new UnsupportedOperationException(
                                "The store '" + store.name()
                                        + "' can't record how many permits '" + key
                                        + "' has, so processes could disagree. Nothing is held. Use a store that has permits (docs/permits.md)."));
    }

    private static void requireCount(LockKey key, int count) {
        if (count < 1 || count > Permits.MOST) {
            throw new InvalidRequestException("The number of permits of '" + key + "' must be between 1 and "
                    + Permits.MOST + ", but was " + count + ". Nothing is held.");
        }
    }

    private void requireShortName() {
        if (name.getBytes(StandardCharsets.UTF_8).length > NAME_BYTES) {
            throw new InvalidRequestException(
                    "The key '" + name.substring(0, 100) + "…' is too long for permits: at most " + (NAME_BYTES - 8)
                            + " bytes as text. Nothing is held. Use shorter ids.");
        }
    }

    private long recorded() {
        return numbers.declare(name, count);
    }

    int known() {
        return count;
    }

    /** The number, read again if that was long ago. Where it can't be read, the last one counts. */
    int current() {
        if (isOld() && reading.tryLock()) {
            try {
                readAgain();
            } finally {
                reading.unlock();
            }
        }
        return count;
    }

    private boolean isOld() {
        return clock.nanos() - readAt >= FRESH;
    }

    /** When {@link #current} will read it again. */
    Deadline nextReading() {
        return Deadline.at(readAt + FRESH, clock);
    }

    private void readAgain() {
        if (!isOld()) {
            return;
        }
        readAt = clock.nanos();
        try {
            count = Math.toIntExact(recorded());
        } catch (LockException e) {
            if (!e.retryable()) {
                throw e;
            }
        }
    }

    void resize(int next) {
        requireCount(key, next);
        reading.lock();
        try {
            readAt = clock.nanos();
            int before = Math.toIntExact(recorded());
            if (!numbers.replace(name, before, next)) {
                throw new LockException(
                        ErrorCode.CONFLICT,
                        "Another process changed the number of permits of '" + key
                                + "' at the same time. Nothing was changed here. Try again.",
                        List.of(key),
                        null);
            }
            count = next;
        } finally {
            reading.unlock();
        }
    }
}
