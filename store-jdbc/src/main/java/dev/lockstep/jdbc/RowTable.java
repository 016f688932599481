package dev.lockstep.jdbc;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/** The table whose rows are locked. */
enum RowTable {
    /** A fixed number of rows for each kind; a key's hash says which one it uses. */
    BUCKETS("hier_lock_buckets") {
        @Override
        String row(ServerLock lock) {
            return "level = " + (lock.slot() >>> 32) + " AND bucket = " + (lock.slot() & 0xFFFF_FFFFL);
        }
    },
    /** A row for each key. */
    IDS("hier_locks") {
        @Override
        String row(ServerLock lock) {
            byte[] name = lock.row().id().getBytes(StandardCharsets.UTF_8);
            return "lock_key = x'" + HexFormat.of().formatHex(name) + "'";
        }
    };

    private final String table;

    RowTable(String table) {
        this.table = table;
    }

    String table() {
        return table;
    }

    /** The condition that finds the lock's row and no other, by the primary key. */
    abstract String row(ServerLock lock);

    LockException missing(ServerLock lock) {
        return new LockException(
                ErrorCode.STORE_FAILED,
                "The table " + table + " has no row with " + row(lock) + ", which stands for '"
                        + lock.wanted().key()
                        + "'. Nothing was locked. Provision the rows: the command 'lockstep provision', or Provisioning.of(dataSource).run(), adds"
                        + " those that are missing.",
                List.of(lock.wanted().key()),
                null);
    }
}
