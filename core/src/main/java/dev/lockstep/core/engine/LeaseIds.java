package dev.lockstep.core.engine;

import java.security.SecureRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Creates lease ids: 60 random bits for the process, drawn once, and a number that is never used twice in it. So an id costs
 * no random number and no shared counter: numbers are drawn in blocks. The form is a version 8 UUID.
 */
final class LeaseIds {
    private static final long PROCESS = process();
    private static final AtomicLong NEXT_BLOCK = new AtomicLong();
    private static final int BLOCK = 1_024;

    private long next;
    private long end;

    private static long process() {
        long random = new SecureRandom().nextLong();
        return (random & 0xFFFF_FFFF_FFFF_0FFFL) | 0x8000L;
    }

    long next() {
        if (next == end) {
            next = NEXT_BLOCK.getAndAdd(BLOCK);
            end = next + BLOCK;
        }
        return next++;
    }

    static UUID of(long number) {
        return new UUID(PROCESS, 0x8000_0000_0000_0000L | number);
    }
}
