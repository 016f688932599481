package dev.lockstep.server.locks;

import dev.lockstep.core.Blocker;
import java.time.Duration;
import java.time.Instant;

/** The schema Blocker of the API's document. */
record BlockerView(String owner, String mode, Instant since, long ageMs, String leaseName, boolean waiting) {
    static BlockerView of(Blocker blocker, String leaseName, Instant now) {
        return new BlockerView(
                blocker.owner(),
                blocker.mode().symbol(),
                blocker.since(),
                age(blocker.since(), now),
                leaseName,
                blocker.waiting());
    }

    /** Clocks of other machines may be ahead of this one's. */
    static long age(Instant since, Instant now) {
        return Math.max(0, Duration.between(since, now).toMillis());
    }
}
