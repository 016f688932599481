package dev.lockstep.jdbc.slots;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;

/** The table whose rows are locked. */
public enum RowTable {
    /** A fixed number of rows for each kind; a key's hash says which one it uses. */
    BUCKETS("hier_lock_buckets", "%1$slevel = ? AND %1$sbucket = ?") {
        @Override
        public String row(ServerLock lock) {
            return "level = " + (lock.slot() >>> 32) + " AND bucket = " + (lock.slot() & 0xFFFF_FFFFL);
        }

        @Override
        public int bind(ServerLock lock, PreparedStatement statement, int at) throws SQLException {
            statement.setInt(at, (int) (lock.slot() >>> 32));
            statement.setInt(at + 1, (int) lock.slot());
            return at + 2;
        }
    },
    /** A row for each key. */
    IDS("hier_locks", "%1$slock_key = ?") {
        @Override
        public String row(ServerLock lock) {
            return "lock_key = x'" + HexFormat.of().formatHex(name(lock)) + "'";
        }

        @Override
        public int bind(ServerLock lock, PreparedStatement statement, int at) throws SQLException {
            statement.setBytes(at, name(lock));
            return at + 1;
        }

        private static byte[] name(ServerLock lock) {
            return lock.row().id().getBytes(StandardCharsets.UTF_8);
        }
    };

    private final String table;
    private final String anyRow;

    RowTable(String table, String anyRow) {
        this.table = table;
        this.anyRow = anyRow;
    }

    public String table() {
        return table;
    }

    /** The condition that finds the lock's row and no other, by the primary key. */
    public abstract String row(ServerLock lock);

    /** The same condition with parameters, and something before the name of each column. */
    public String anyRow(String qualifier) {
        return anyRow.formatted(qualifier);
    }

    /** Sets the parameters of {@link #anyRow}, the first of which is the one at {@code at}; returns the index of the next one. */
    public abstract int bind(ServerLock lock, PreparedStatement statement, int at) throws SQLException;

    public LockException missing(ServerLock lock) {
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
