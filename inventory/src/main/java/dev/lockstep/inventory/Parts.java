package dev.lockstep.inventory;

import dev.lockstep.core.LockClock;

/** What the procedures work with. */
record Parts(
        Settings settings,
        Clerk clerk,
        Contention contention,
        Watch watch,
        Workers workers,
        Workers slowWorkers,
        Timer timer) {
    LockClock clock() {
        return settings.clock();
    }
}
