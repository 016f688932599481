package dev.lockstep.examples;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.examples.AccountKinds.ACCOUNT;
import static dev.lockstep.examples.AccountKinds.RESOURCE;
import static dev.lockstep.examples.AccountKinds.USER;

import dev.lockstep.core.Busy;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.jdbc.AdvisoryLockStore;
import dev.lockstep.jdbc.RowLockStore;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The same locks on a database: they hold between processes. */
public final class DatabaseLocks {
    private DatabaseLocks() {}

    public static void main(String[] args) {
        @Nullable String url = DriverSource.urlOf("DatabaseLocks", args);
        if (url != null) {
            run(url);
        }
    }

    // tag::database
    static Locks on(String product, DataSource dataSource) {
        return switch (product) {
            case "mysql" -> Locks.on(RowLockStore.mysql(dataSource).provisionIfMissing(AccountKinds.values()));
            case "mariadb" -> Locks.on(RowLockStore.mariadb(dataSource).provisionIfMissing(AccountKinds.values()));
            case "postgresql" -> Locks.on(AdvisoryLockStore.postgresql(dataSource)); // needs no table
            default -> throw new IllegalArgumentException("Unsupported database: '" + product + "'");
        };
    }
    // end::database

    private static void run(String url) {
        DataSource dataSource = new DriverSource(url);
        LockKey account = USER.key("u1").child(ACCOUNT, "a1");
        // Two of them stand for two processes: they have nothing in common but the database.
        try (Locks here = on(DriverSource.product(url), dataSource);
                Locks there = on(DriverSource.product(url), dataSource)) {
            try (Lease lease =
                    here.acquire(exclusive(account).forTerm(Backstage.LONG).as("close-account"))) {
                System.out.println("closed under token " + lease.token());
                if (there.tryAcquire(exclusive(account.child(RESOURCE, "r1"))) instanceof Busy busy) {
                    System.out.println(busy.key() + " is busy: " + busy.blockers());
                }
            }
            there.run(exclusive(account.child(RESOURCE, "r1")), lease -> System.out.println("paid r1"));
        }
    }
}
