package dev.lockstep.examples;

import dev.lockstep.core.LockEvent;
import dev.lockstep.core.Locks;
import dev.lockstep.core.fallback.FallbackStore;
import dev.lockstep.jdbc.EpochTable;
import dev.lockstep.jdbc.RowLockStore;
import dev.lockstep.redis.RedisLockStore;
import javax.sql.DataSource;

/** Locks on Redis that continue on a database while Redis is unreachable; the tests run them on real servers. */
final class FallbackLocks {
    private FallbackLocks() {}

    /** Once, by the one that sets the pair up; or {@code lockstep provision}, with and without {@code --epochs}. */
    static void setUp(DataSource dataSource) {
        // tag::fallback-setup
        EpochTable.on(dataSource).provision("default");
        // end::fallback-setup
    }

    static Locks on(String redisUrl, DataSource dataSource) {
        // tag::fallback
        Locks locks = Locks.on(FallbackStore.of(RedisLockStore.at(redisUrl), RowLockStore.mysql(dataSource)));
        locks.subscribe(event -> {
            if (event instanceof LockEvent.Switched moved) {
                System.err.println("locks move to " + moved.state().active() + ": " + moved.reason());
            }
        });
        // end::fallback
        return locks;
    }
}
