package dev.lockstep.jdbc.slots;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.jdbc.tables.Fnv1a;
import dev.lockstep.jdbc.tables.KindLevel;
import dev.lockstep.jdbc.tables.Layout;
import dev.lockstep.jdbc.tables.LockTables;
import dev.lockstep.jdbc.tables.TableSchema;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Keys as rows of the lock tables. */
public final class RowSlots implements Slots {
    private final Supplier<LockTables> reading;
    private volatile LockTables tables;

    /**
     * With what was read last.
     *
     * @param reading reads again, for the locks of other processes: they may be of kinds that were recorded since
     */
    public RowSlots(LockTables tables, Supplier<LockTables> reading) {
        this.tables = tables;
        this.reading = reading;
    }

    public LockTables tables() {
        return tables;
    }

    public void tables(LockTables now) {
        tables = now;
    }

    @Override
    public ServerLock of(PlannedLock lock) {
        return tables.layout() == Layout.IDS ? named(lock) : bucket(lock);
    }

    private ServerLock bucket(PlannedLock lock) {
        LockKey key = lock.key();
        KindLevel level = level(key);
        long bucket = Fnv1a.bucket(key.canonicalBytes(), tables.buckets());
        return ServerLock.numbered(key.rank(), (long) level.level() << 32 | bucket, lock);
    }

    private KindLevel level(LockKey key) {
        String prefix = key.kind().prefix();
        Optional<KindLevel> known = tables.find(prefix);
        if (known.isEmpty()) {
            tables = reading.get();
            known = tables.find(prefix);
        }
        return known.orElseThrow(() -> unknown(key));
    }

    private static ServerLock named(PlannedLock lock) {
        String name = lock.key().toString();
        if (name.getBytes(StandardCharsets.UTF_8).length > TableSchema.KEY_BYTES) {
            throw new InvalidRequestException(
                    "The key '" + name.substring(0, 100) + "…' has more than " + TableSchema.KEY_BYTES
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
