package dev.lockstep.jdbc;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.PlannedLock;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Keys as rows of the lock tables. */
final class RowSlots implements Slots {
    private volatile LockTables tables;

    RowSlots(LockTables tables) {
        this.tables = tables;
    }

    LockTables tables() {
        return tables;
    }

    void tables(LockTables now) {
        tables = now;
    }

    @Override
    public ServerLock of(PlannedLock lock) {
        return tables.layout() == Layout.IDS ? named(lock) : bucket(lock);
    }

    private ServerLock bucket(PlannedLock lock) {
        LockKey key = lock.key();
        KindLevel level = tables.find(key.kind().prefix()).orElseThrow(() -> unknown(key));
        long bucket = Fnv1a.bucket(key.canonicalBytes(), tables.buckets());
        return ServerLock.numbered(key.rank(), (long) level.level() << 32 | bucket, lock);
    }

    private static ServerLock named(PlannedLock lock) {
        String name = lock.key().toString();
        if (name.getBytes(StandardCharsets.UTF_8).length > LockTable.KEY_BYTES) {
            throw new InvalidRequestException(
                    "The key '" + name.substring(0, 100) + "…' has more than " + LockTable.KEY_BYTES
                            + " bytes, the most that a row of hier_locks can hold. Use shorter ids, or buckets.");
        }
        return ServerLock.named(name, lock);
    }

    private static LockException unknown(LockKey key) {
        return new LockException(
                ErrorCode.STORE_FAILED,
                "Kind '" + key.kind().prefix() + "' has no rows in hier_lock_buckets. " + LockTables.HOW_TO_PROVISION,
                List.of(key),
                null);
    }
}
