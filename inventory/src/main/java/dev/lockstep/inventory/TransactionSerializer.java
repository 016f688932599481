package dev.lockstep.inventory;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Who may have a transaction now. Only for H2 in files: there a rollback can take back what others have committed to the same row
 * (seen with 2.3.232 and 2.4.240, in plain JDBC and only while both go on at once), so one transaction goes at a time in this process.
 */
final class TransactionSerializer {
    /** Nobody waits for anybody. */
    static final TransactionSerializer FREE = new TransactionSerializer(null);

    private static final Map<String, TransactionSerializer> FILES = new ConcurrentHashMap<>();

    private final @Nullable ReentrantLock lock;

    private TransactionSerializer(@Nullable ReentrantLock lock) {
        this.lock = lock;
    }

    /** Those of the database that a connection leads to. */
    static TransactionSerializer of(Product product, Connection connection) throws SQLException {
        String url = connection.getMetaData().getURL();
        return product == Product.H2 && !url.startsWith("jdbc:h2:mem:")
                ? FILES.computeIfAbsent(url, any -> new TransactionSerializer(new ReentrantLock(true)))
                : FREE;
    }

    void acquire(int millis) throws SQLException {
        if (lock == null) {
            return;
        }
        try {
            if (!lock.tryLock(millis, TimeUnit.MILLISECONDS)) {
                throw new SQLTimeoutException("Others have had the database for " + millis + " ms");
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
