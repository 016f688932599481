package dev.lockstep.projectlock;

import static dev.lockstep.projectlock.ProjectLockFailure.ABORTED;
import static dev.lockstep.projectlock.ProjectLockFailure.ACQUIRE_TIMEOUT;
import static dev.lockstep.projectlock.ProjectLockFailure.FALLBACK_READ_FAILED;
import static dev.lockstep.projectlock.ProjectLockFailure.FALLBACK_WRITE_FAILED;
import static dev.lockstep.projectlock.ProjectLockFailure.LEASE_EXPIRED;
import static dev.lockstep.projectlock.ProjectLockFailure.LEASE_MISMATCH;

import java.time.Duration;
import java.util.Optional;

/** What a project lock should answer to a call, and the state it should be in afterwards: the protocol, without its files. */
final class StateModel {
    static final Duration TERM = Duration.ofSeconds(15);
    static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final long FIRST_PAUSE = 200;

    enum Call {
        ACQUIRE,
        ACQUIRE_PATIENTLY,
        ACQUIRE_ABORTED,
        RENEW,
        RENEW_STRANGE,
        RELEASE,
        RELEASE_STRANGE,
        EXPIRE,
        PLATFORM_FAILS,
        READ_FAILS,
        WRITE_FAILS,
        DELETE_FAILS,
        STOLEN
    }

    record Answer(Optional<ProjectLockFailure> failure, String state) {}

    /** Whose the record is. */
    private enum Owner {
        NOBODY,
        SELF_BY_PLATFORM,
        SELF_BY_FILE,
        OTHER
    }

    private String state = "Idle";
    private long now;
    private long end;
    private boolean ranOut;
    private int record;
    private int unreleased;
    private Owner owner = Owner.NOBODY;
    private long recordEnd;
    private int platformFaults;
    private boolean readFault;
    private boolean writeFault;
    private boolean deleteFault;

    Answer after(Call call) {
        Optional<ProjectLockFailure> failure = answer(call);
        return new Answer(failure, state);
    }

    private Optional<ProjectLockFailure> answer(Call call) {
        switch (call) {
            case EXPIRE -> now += TERM.toMillis();
            case PLATFORM_FAILS -> platformFaults++;
            case READ_FAILS -> readFault = true;
            case WRITE_FAILS -> writeFault = true;
            case DELETE_FAILS -> deleteFault = true;
            case STOLEN -> {
                owner = Owner.OTHER;
                recordEnd = now + TERM.toMillis();
            }
            default -> {
                return answerToCall(call);
            }
        }
        return Optional.empty();
    }

    private Optional<ProjectLockFailure> answerToCall(Call call) {
        return switch (call) {
            case ACQUIRE -> acquire(0);
            case ACQUIRE_PATIENTLY -> acquire(PATIENCE.toMillis());
            case ACQUIRE_ABORTED -> acquireAborted();
            case RENEW -> renew();
            case RELEASE -> release();
            default -> Optional.of(LEASE_MISMATCH);
        };
    }

    private boolean isHolding() {
        return state.startsWith("Holding");
    }

    private void endIfOver() {
        if (isHolding() && now >= end) {
            end();
        }
    }

    /** The lease is over: what can be removed of it is removed. */
    private void end() {
        ranOut = true;
        state = "Idle";
        remove();
    }

    /** What kept the record from being looked at or removed. */
    private Optional<ProjectLockFailure> remove() {
        if (readFault) {
            readFault = false;
            return Optional.of(FALLBACK_READ_FAILED);
        }
        if (isOwn() && deleteFault) {
            deleteFault = false;
            return Optional.of(FALLBACK_WRITE_FAILED);
        }
        if (isOwn()) {
            owner = Owner.NOBODY;
        }
        return Optional.empty();
    }

    private boolean isOwn() {
        return owner == Owner.SELF_BY_PLATFORM || owner == Owner.SELF_BY_FILE;
    }

    private Optional<ProjectLockFailure> acquireAborted() {
        endIfOver();
        if (isHolding()) {
            return Optional.of(LEASE_MISMATCH);
        }
        if (platformFaults > 0 && !readFault) {
            platformFaults--; // and the file is not asked any more
        } else if (attempt().isEmpty()) {
            remove();
        }
        state = "Faulted";
        return Optional.of(ABORTED);
    }

    private Optional<ProjectLockFailure> acquire(long patience) {
        endIfOver();
        if (isHolding()) {
            return Optional.of(LEASE_MISMATCH);
        }
        long deadline = now + patience;
        Optional<ProjectLockFailure> refusal = attempt();
        for (long pause = FIRST_PAUSE; refusal.isPresent() && now < deadline; pause *= 2) {
            now = Math.min(deadline, now + pause);
            refusal = attempt();
        }
        if (refusal.isPresent()) {
            state = "Faulted";
        } else {
            ranOut = false;
            unreleased = 0;
        }
        return refusal;
    }

    private Optional<ProjectLockFailure> attempt() {
        if (readFault) {
            readFault = false;
            return Optional.of(FALLBACK_READ_FAILED);
        }
        boolean byPlatform = platformFaults == 0;
        platformFaults = Math.max(0, platformFaults - 1);
        boolean isFree = owner == Owner.NOBODY || recordEnd <= now;
        if (!isFree && !(byPlatform && owner == Owner.SELF_BY_PLATFORM)) {
            return Optional.of(ACQUIRE_TIMEOUT);
        }
        if (writeFault) {
            writeFault = false;
            return Optional.of(FALLBACK_WRITE_FAILED);
        }
        owner = byPlatform ? Owner.SELF_BY_PLATFORM : Owner.SELF_BY_FILE;
        record++;
        state = byPlatform ? "HoldingPlatform" : "HoldingFallback";
        extend();
        return Optional.empty();
    }

    private void extend() {
        end = now + TERM.toMillis();
        recordEnd = end;
    }

    /** Why the lease that was last acquired can't be used any more. */
    private Optional<ProjectLockFailure> gone() {
        endIfOver();
        return isHolding() ? Optional.empty() : Optional.of(ranOut ? LEASE_EXPIRED : LEASE_MISMATCH);
    }

    private Optional<ProjectLockFailure> renew() {
        Optional<ProjectLockFailure> gone = gone();
        if (gone.isPresent()) {
            return gone;
        }
        if (readFault) {
            readFault = false;
            return Optional.of(FALLBACK_READ_FAILED);
        }
        if (!isOwn()) {
            end();
            return Optional.of(LEASE_MISMATCH);
        }
        if (writeFault) {
            writeFault = false;
            return Optional.of(FALLBACK_WRITE_FAILED);
        }
        extend();
        return Optional.empty();
    }

    private Optional<ProjectLockFailure> release() {
        if (unreleased > 0) {
            return releaseAgain();
        }
        Optional<ProjectLockFailure> gone = gone();
        if (gone.isPresent()) {
            return gone;
        }
        Optional<ProjectLockFailure> fault = remove();
        if (fault.isPresent()) {
            state = "Faulted";
            unreleased = record;
            return fault;
        }
        state = "Idle";
        ranOut = owner == Owner.OTHER;
        return ranOut ? Optional.of(LEASE_MISMATCH) : Optional.empty();
    }

    private Optional<ProjectLockFailure> releaseAgain() {
        boolean isThere = readFault || (isOwn() && record == unreleased);
        Optional<ProjectLockFailure> fault = isThere ? remove() : Optional.empty();
        if (fault.isEmpty()) {
            unreleased = 0;
            state = state.equals("Faulted") ? "Idle" : state;
        }
        return fault;
    }
}
