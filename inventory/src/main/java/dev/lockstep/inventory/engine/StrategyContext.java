package dev.lockstep.inventory.engine;

import dev.lockstep.core.LockClock;

/** What the settlement strategies share. */
record StrategyContext(
        Settings settings,
        SettlementRunner runner,
        Contention contention,
        InventoryMonitor monitor,
        Workers workers,
        Workers slowWorkers,
        Timer timer) {
    LockClock clock() {
        return settings.clock();
    }
}
