package dev.lockstep.examples;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.examples.AccountKinds.ACCOUNT;
import static dev.lockstep.examples.AccountKinds.USER;

import dev.lockstep.core.Busy;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.jdbc.AdvisoryLockStore;
import dev.lockstep.jdbc.RowLockStore;
import dev.lockstep.jdbc.TransactionLocks;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Locks that are taken in a transaction of the application's own, and end with it. */
public final class LocksInYourTransaction {
    private static final LockKey ACCOUNT_A1 = USER.key("u1").child(ACCOUNT, "a1");

    /** What {@link RowLockStore} and {@link AdvisoryLockStore} both have. */
    private interface Store {
        TransactionLocks in(Connection connection);
    }

    private LocksInYourTransaction() {}

    public static void main(String[] args) throws SQLException {
        @Nullable String url = DriverSource.urlOf("LocksInYourTransaction", args);
        if (url == null) {
            return;
        }
        DataSource dataSource = new DriverSource(url);
        if (DriverSource.product(url).equals("postgresql")) {
            AdvisoryLockStore store = AdvisoryLockStore.postgresql(dataSource);
            try (Locks locks = Locks.on(store)) {
                run(locks, store::in, dataSource);
            }
        } else {
            RowLockStore store = (DriverSource.product(url).equals("mysql")
                            ? RowLockStore.mysql(dataSource)
                            : RowLockStore.mariadb(dataSource))
                    .provisionIfMissing(AccountKinds.values());
            try (Locks locks = Locks.on(store)) {
                run(locks, store::in, dataSource);
            }
        }
    }

    private static void run(Locks locks, Store store, DataSource dataSource) throws SQLException {
        // tag::in-transaction
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            store.in(connection).acquire(exclusive(ACCOUNT_A1)); // before the first read
            close(locks);
            connection.commit(); // ends the locks too
        }
        // end::in-transaction
        locks.run(exclusive(ACCOUNT_A1), lease -> System.out.println("the next one has it"));
    }

    private static void close(Locks locks) {
        if (locks.tryAcquire(exclusive(ACCOUNT_A1)) instanceof Busy) {
            System.out.println("closed a1, and no lease was granted meanwhile");
        }
    }
}
