package dev.lockstep.jdbc.slots;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.PlannedLock;
import java.nio.charset.StandardCharsets;

/**
 * Keys as 64-bit numbers: the rank in the top 16 bits, so that locks of two ranks are never one, and a hash of namespace and key in
 * the others.
 */
public final class AdvisorySlots implements Slots {
    private static final int MOST_RANK = 0xFFFF;
    private static final long OFFSET = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;

    private final long start;

    public AdvisorySlots(String namespace) {
        start = hash(OFFSET, namespace.getBytes(StandardCharsets.UTF_8));
    }

    /** A number that a text always has. */
    public static long number(String text) {
        return mix(hash(OFFSET, text.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public ServerLock of(PlannedLock lock) {
        LockKey key = lock.key();
        if (key.rank() > MOST_RANK) {
            throw new InvalidRequestException("Kind '" + key.kind().prefix() + "' has rank " + key.rank()
                    + ", and on PostgreSQL ranks go up to " + MOST_RANK + ". Give it a lower one.");
        }
        long hash = mix(hash(start, key.canonicalBytes()));
        return ServerLock.numbered(key.rank(), (long) key.rank() << 48 | hash >>> 16, lock);
    }

    private static long hash(long from, byte[] bytes) {
        long hash = from;
        for (byte each : bytes) {
            hash = (hash ^ (each & 0xff)) * PRIME;
        }
        return hash;
    }

    /** The top bits of FNV-1a depend little on the last bytes; this spreads them. */
    private static long mix(long hash) {
        long mixed = (hash ^ hash >>> 32) * 0xd6e8feb86659fd93L;
        return (mixed ^ mixed >>> 32) * 0xd6e8feb86659fd93L;
    }
}
