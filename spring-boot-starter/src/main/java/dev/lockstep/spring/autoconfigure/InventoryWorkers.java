package dev.lockstep.spring.autoconfigure;

import dev.lockstep.spring.LockstepStartException;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** How many threads work on stock at a time, each with a connection. */
final class InventoryWorkers {
    private static final int USUAL = 8;

    private InventoryWorkers() {}

    static int of(@Nullable Integer configured, OptionalInt pool) {
        if (configured == null) {
            return pool.isEmpty() ? USUAL : Math.max(1, Math.min(USUAL, pool.getAsInt() / 2));
        }
        SettingRules.positive("inventory.workers", configured, USUAL);
        if (pool.isPresent() && configured > pool.getAsInt()) {
            throw new LockstepStartException(
                    "lockstep.inventory.workers is " + configured + ", and the pool of the DataSource has "
                            + pool.getAsInt() + " connections.",
                    "Write lockstep.inventory.workers=" + pool.getAsInt()
                            + " or less, or give the pool more connections, with HikariCP"
                            + " spring.datasource.hikari.maximum-pool-size=" + configured + " or more.");
        }
        return configured;
    }
}
