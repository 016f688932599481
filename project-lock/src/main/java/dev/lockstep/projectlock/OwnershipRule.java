package dev.lockstep.projectlock;

import dev.lockstep.core.LockClock;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a record may be replaced. Where its expiry can't be trusted, because it is unreadable or lies further ahead
 * than any lease lasts, only what was seen on the own monotonic clock counts: a live holder changes it within its term. What
 * was seen is remembered from one acquire to the next. Used under the guard alone.
 */
final class OwnershipRule {
    private final LockClock clock;
    private final Duration term;
    private @Nullable LeaseFileState seen;
    private long seenSince;

    OwnershipRule(LockClock clock, Duration term) {
        this.clock = clock;
        this.term = term;
    }

    /** Whether the record has no holder: there is none, it has expired, or it has stood still for too long. */
    boolean isFree(LeaseFileState found) {
        boolean stoodStill = hasStoodStill(found);
        return found.text().isEmpty()
                || found.record()
                        .map(record -> hasExpired(record) || stoodStill)
                        .orElse(stoodStill);
    }

    private boolean hasExpired(LeaseRecord record) {
        return record.expiresAt() <= clock.millis();
    }

    /** Whether what was found has been the same for one term. */
    boolean hasStoodStill(LeaseFileState found) {
        long now = clock.nanos();
        if (seen == null || !seen.equals(found)) {
            seen = found;
            seenSince = now;
        }
        return now - seenSince >= termOf(found).toNanos();
    }

    /** The term of the record's lease; if that is unknown, one that is not too short for the last grant. */
    private Duration termOf(LeaseFileState found) {
        return found.noteOfRecord().map(FenceNote::term).orElseGet(() -> notBelow(found.note()));
    }

    private Duration notBelow(Optional<FenceNote> last) {
        return last.map(FenceNote::term)
                .filter(other -> other.compareTo(term) > 0)
                .orElse(term);
    }
}
