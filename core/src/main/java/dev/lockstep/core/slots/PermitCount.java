package dev.lockstep.core.slots;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.permits.Permits;
import dev.lockstep.core.spi.SharedNumbers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** How many permits there are: recorded in the store, and read again from time to time, because another process may change it. */
final class PermitCount {
    private static final long FRESH = TimeUnit.SECONDS.toNanos(5);
    private static final int NAME_BYTES = 600;

    private final LockKey key;
    private final String name;
    private final Optional<SharedNumbers> numbers;
    private final LockClock clock;
    private volatile int count;
    private volatile long readAt;

    private PermitCount(LockKey key, int count, Optional<SharedNumbers> numbers, LockClock clock) {
        this.key = key;
        this.count = count;
        this.numbers = numbers;
        this.clock = clock;
        name = "permits " + key;
        readAt = clock.nanos();
    }

    /** Declares the number, which must be the same in all processes. */
    static PermitCount declare(LockKey key, int count, SlotStore store) {
        requireCount(key, count);
        PermitCount declared = new PermitCount(key, count, store.numbers(), store.clock());
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
        return numbers.isEmpty() ? count : numbers.get().declare(name, count);
    }

    int known() {
        return count;
    }

    /** The number, read again if that was long ago. Where it can't be read, the last one counts. */
    int current() {
        long now = clock.nanos();
        if (now - readAt > FRESH) {
            readAt = now;
            try {
                count = Math.toIntExact(recorded());
            } catch (LockException e) {
                if (!e.retryable()) {
                    throw e;
                }
            }
        }
        return count;
    }

    void resize(int next) {
        requireCount(key, next);
        int before = Math.toIntExact(recorded());
        if (numbers.isPresent() && !numbers.get().replace(name, before, next)) {
            throw new LockException(
                    ErrorCode.CONFLICT,
                    "Another process changed the number of permits of '" + key
                            + "' at the same time. Nothing was changed here. Try again.",
                    List.of(key),
                    null);
        }
        count = next;
        readAt = clock.nanos();
    }
}
