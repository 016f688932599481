package dev.lockstep.spring.autoconfigure;

import dev.lockstep.spring.LockstepStartException;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * How many connections locks take from a pool. A lease keeps one while it is held, so a pool that has no more than those would leave
 * nothing for the work under the lock.
 */
final class LockConnections {
    private static final int USUAL = 16;

    /** The store looks at the server on a connection beyond those of its leases. */
    private static final int FOR_LOOKS = 1;

    /** Of a pair, each store asks its server on one more: whether it is there, and whose turn it is. */
    private static final int FOR_PAIRS = 1;

    private LockConnections() {}

    /**
     * The number for a pool of this size.
     *
     * @param shared whether the application works with connections of the same pool
     * @param paired whether the store is one of a pair
     */
    static int of(@Nullable Integer configured, OptionalInt pool, boolean shared, boolean paired) {
        int beside = FOR_LOOKS + (shared ? 1 : 0) + (paired ? FOR_PAIRS : 0);
        if (configured == null) {
            return pool.isEmpty() ? USUAL : fitting(pool.getAsInt(), beside, shared);
        }
        if (configured < 1 || configured > 10_000) {
            throw new LockstepStartException(
                    "lockstep.connections is " + configured + ".", "Write a number from 1 to 10000, such as 16.");
        }
        if (pool.isPresent() && pool.getAsInt() < configured + beside) {
            throw tooSmall(pool.getAsInt(), configured, beside, shared);
        }
        return configured;
    }

    private static int fitting(int pool, int beside, boolean shared) {
        int most = shared ? Math.min(pool / 2, pool - beside) : pool - beside;
        if (most < 1) {
            throw tooSmall(pool, 1, beside, shared);
        }
        return Math.min(USUAL, most);
    }

    private static LockstepStartException tooSmall(int pool, int wanted, int beside, boolean shared) {
        String reason = shared ? ", and the application and the store need one beside them" : "";
        String lower = pool - beside < 1 ? "" : ", or lockstep.connections=" + (pool - beside) + " or less";
        return new LockstepStartException(
                "The pool of the DataSource has " + pool + " connections, and locks would take " + wanted
                        + ": each lease keeps one while it is held" + reason + ".",
                "Give the pool " + (wanted + beside) + " connections or more, with HikariCP"
                        + " spring.datasource.hikari.maximum-pool-size=" + (wanted + beside) + lower
                        + ". Or give locks a separate DataSource, a bean marked with @LockstepDataSource.");
    }
}
