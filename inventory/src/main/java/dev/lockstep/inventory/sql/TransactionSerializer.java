package dev.lockstep.inventory.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs one transaction at a time, only for H2 in files: there a rollback can undo what others have committed to the same row
 * (seen with 2.3.232 and 2.4.240, in plain JDBC and only while both run at once), so this process runs one transaction at a time.
 */
public final class TransactionSerializer {
    /** Serializes nothing. */
    static final TransactionSerializer FREE = new TransactionSerializer(null);

    private static final Map<String, TransactionSerializer> FILES = new ConcurrentHashMap<>();

    private final @Nullable ReentrantLock lock;

    private TransactionSerializer(@Nullable ReentrantLock lock) {
        this.lock = lock;
    }

    /** The serializer of the database that a connection leads to. */
    public static TransactionSerializer of(Product product, Connection connection) throws SQLException {
        String url = connection.getMetaData().getURL();
        return product == Product.H2 && !url.startsWith("jdbc:h2:mem:")
                ? FILES.computeIfAbsent(url, any -> new TransactionSerializer(new ReentrantLock(true)))
                : FREE;
    }

    /** Whether it serializes nothing. */
    public boolean isFree() {
        return lock == null;
    }

    public void acquire(int millis) throws SQLException {
        if (lock == null) {
            return;
        }
        try {
            if (!lock.tryLock(millis, TimeUnit.MILLISECONDS)) {
                throw new SQLTimeoutException("Other transactions have used the H2 file for " + millis + " ms");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("Interrupted while waiting for a turn in the database", e);
        }
    }

    void release() {
        if (lock != null) {
            lock.unlock();
        }
    }
}
