package dev.lockstep.core.leadership;

import dev.lockstep.core.Blocker;
import dev.lockstep.core.Busy;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.HeldLock;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.LockTimeoutException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Why a candidate can't stand for election at all. */
final class LeadershipRefusal {
    private LeadershipRefusal() {}

    /** The error for the caller, if the first request failed for a reason that stays; null if another request may be granted. */
    static @Nullable LockException of(@Nullable Throwable cause, Candidacy.Options options) {
        if (cause instanceof LockTimeoutException timeout) {
            return sharedHolder(timeout.busy(), options)
                    .map(holder -> heldShared(holder, options))
                    .orElse(null);
        }
        return cause instanceof LockException e && !e.retryable() && e.code() != ErrorCode.STORE_FAILED ? e : null;
    }

    /** One that holds the led key, rather than its parent or another key in the same row. */
    private static Optional<Blocker> sharedHolder(Busy busy, Candidacy.Options options) {
        List<Blocker> holders = busy.blockers().stream()
                .filter(blocker -> !blocker.waiting() && blocker.mode() == LockMode.SHARED)
                .toList();
        if (holders.isEmpty() || !busy.key().equals(options.key())) {
            return Optional.empty();
        }
        List<HeldLock> held = heldLocks(options);
        return holders.stream()
                .filter(holder -> held.stream()
                        .anyMatch(lock -> lock.leaseId().equals(holder.leaseId())
                                && lock.key().equals(options.key())))
                .findFirst();
    }

    private static List<HeldLock> heldLocks(Candidacy.Options options) {
        try {
            return options.locks().snapshot().holders();
        } catch (RuntimeException unknown) { // then the candidate waits
            return List.of();
        }
    }

    private static LockException heldShared(Blocker holder, Candidacy.Options options) {
        return new InvalidRequestException(
                "'" + options.key() + "' is held shared by " + holder
                        + ", so it is used for something else than a leadership. Nothing is held. Lead a key that only candidates use.");
    }
}
