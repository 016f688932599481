package dev.lockstep.projectlock;

import java.time.Duration;

/** Single attempts at a project. */
final class Attempts {
    private static final AcquireOptions ONCE = AcquireOptions.defaults().within(Duration.ZERO);

    private Attempts() {}

    /** What came of it: {@code held}, or the failure. */
    static String one(ProjectLock lock) {
        try {
            lock.acquire(ONCE);
            return "held";
        } catch (ProjectLockException e) {
            return e.failure().text();
        }
    }
}
