package dev.lockstep.projectlock;

import dev.lockstep.projectlock.ProjectLockEvent.Acquired;
import dev.lockstep.projectlock.ProjectLockEvent.Released;
import dev.lockstep.projectlock.ProjectLockEvent.Renewed;
import dev.lockstep.projectlock.ProjectLockState.Holding;
import dev.lockstep.projectlock.ProjectLockState.Releasing;
import dev.lockstep.projectlock.ProjectLockState.Renewing;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The time between acquire and release: renewals, the end, and who may ask for them. One at a time, from any thread. */
final class ActiveLease {
    private final Parts parts;
    private final StateCell cell;
    private final ReentrantLock one = new ReentrantLock();
    private volatile @Nullable HeldProject hold;
    private volatile @Nullable ProjectLease over;

    /** Of a release that failed: no longer held, but its record may still be there. */
    private @Nullable HeldProject unreleased;

    ActiveLease(Parts parts, StateCell cell) {
        this.parts = parts;
        this.cell = cell;
    }

    /** Begins with a state of holding in the cell. */
    void begin(HeldProject taken) {
        one.lock();
        try {
            hold = taken;
            unreleased = null;
            parts.reporter().tell(new Acquired(taken.lease()));
        } finally {
            one.unlock();
        }
    }

    @Nullable
    HeldProject current() {
        return hold;
    }

    /** Whether this lease is held, by both clocks. */
    boolean isHeld(ProjectLease lease) {
        HeldProject held = hold;
        return held != null && isOf(held, lease) && !held.isOver(parts.clock());
    }

    ProjectLease renew(ProjectLease lease, Duration extension) {
        one.lock();
        try {
            HeldProject held = requireHeld(lease);
            Renewing renewing = cell.enter(((Holding) cell.now()).renew());
            HeldProject renewed = extend(held, extension, renewing);
            hold = renewed;
            cell.enter(renewing.renewed(renewed.lease()));
            parts.reporter().tell(new Renewed(renewed.lease()));
            return renewed.lease();
        } catch (ProjectLockException e) {
            throw parts.reporter().renewFailed(e);
        } finally {
            one.unlock();
        }
    }

    private HeldProject extend(HeldProject held, Duration extension, Renewing renewing) {
        boolean answered = false;
        try {
            var renewed = onFileThread(() -> parts.transactions().extend(held, extension));
            answered = true;
            return renewed.orElseThrow(() -> lost(held, renewing));
        } finally {
            if (!answered) {
                cell.enter(renewing.failed());
            }
        }
    }

    private ProjectLockException lost(HeldProject held, Renewing renewing) {
        boolean ranOut = held.isOver(parts.clock());
        end(held, renewing.lost());
        return ranOut
                ? expired(held.lease())
                : mismatch("The record of lease " + held.lease().leaseId()
                        + " is gone, or another holder's. Stop writing to the project, and acquire it again.");
    }

    void release(ProjectLease lease, ReleaseReason reason) {
        one.lock();
        try {
            if (releasedAgain(lease, reason)) {
                return;
            }
            HeldProject held = requireHeld(lease);
            Releasing releasing = cell.enter(((Holding) cell.now()).release(reason));
            if (!remove(held, releasing)) {
                end(held, releasing);
                throw mismatch("The record of lease " + lease.leaseId()
                        + " was gone, or another holder's, before it was released.");
            }
            hold = null;
            cell.enter(releasing.done());
            parts.reporter().tell(new Released(held.lease(), reason));
        } catch (ProjectLockException e) {
            throw e.failure() == ProjectLockFailure.LEASE_EXPIRED
                    ? parts.reporter().releaseTooLate(e)
                    : parts.reporter().releaseFailed(lease, e);
        } finally {
            one.unlock();
        }
    }

    /**
     * Removes the record that a failed release left behind; returns false if there is none of this lease. It was released in time, so it
     * doesn't matter whether another holder has replaced the record since.
     */
    private boolean releasedAgain(ProjectLease lease, ReleaseReason reason) {
        HeldProject left = unreleased;
        if (left == null || !isOf(left, lease)) {
            return false;
        }
        onFileThread(() -> parts.transactions().remove(left));
        unreleased = null;
        cell.recover();
        parts.reporter().tell(new Released(left.lease(), reason));
        return true;
    }

    private boolean remove(HeldProject held, Releasing releasing) {
        try {
            return onFileThread(() -> parts.transactions().remove(held));
        } catch (RuntimeException | Error e) {
            held.platformLock().release();
            hold = null;
            unreleased = held;
            cell.enter(releasing.failed(ProjectLockException.of(e)));
            throw e;
        }
    }

    /** Waits for a release or an end on its way, and ends what has ended but was not noticed. */
    void settle() {
        one.lock();
        try {
            HeldProject held = hold;
            if (held != null) {
                endIfOver(held);
            }
        } finally {
            one.unlock();
        }
    }

    /** Renews a lease, if it is still the one that is held; a failure is reported and logged. */
    boolean renewIfHeld(HeldProject expected) {
        one.lock();
        try {
            HeldProject held = hold;
            if (held == null || !isOf(held, expected.lease())) {
                return false;
            }
            renew(held.lease(), expected.term());
            return true;
        } catch (ProjectLockException e) {
            return false;
        } finally {
            one.unlock();
        }
    }

    /** Ends a lease whose time has ended; returns whether it did, or had ended before. */
    boolean endIfOver(HeldProject expected) {
        one.lock();
        try {
            HeldProject held = hold;
            if (held == null || !isOf(held, expected.lease())) {
                return true;
            }
            boolean isOver = held.isOver(parts.clock());
            if (isOver) {
                end(held, ((Holding) cell.now()).release(ReleaseReason.EXPIRED));
            }
            return isOver;
        } finally {
            one.unlock();
        }
    }

    private void end(HeldProject held, Releasing releasing) {
        cell.enter(releasing);
        hold = null;
        over = held.lease();
        try {
            parts.reporter().expired(held.lease());
            parts.giveBack(held);
        } finally {
            cell.enter(releasing.done());
        }
    }

    private HeldProject requireHeld(ProjectLease lease) {
        HeldProject held = hold;
        if (held != null && isOf(held, lease)) {
            if (endIfOver(held)) {
                throw expired(held.lease());
            }
            return held;
        }
        ProjectLease last = over;
        throw last != null && last.leaseId().equals(lease.leaseId())
                ? expired(last)
                : mismatch("The lease " + lease.leaseId()
                        + " is not the one that is held here"
                        + (held == null
                                ? ": none is"
                                : ": that is " + held.lease().leaseId())
                        + ". Use the one that the last acquire answered.");
    }

    private static boolean isOf(HeldProject held, ProjectLease lease) {
        return held.lease().leaseId().equals(lease.leaseId());
    }

    private static ProjectLockException mismatch(String message) {
        return new ProjectLockException(ProjectLockFailure.LEASE_MISMATCH, message);
    }

    private static ProjectLockException expired(ProjectLease lease) {
        return new ProjectLockException(
                ProjectLockFailure.LEASE_EXPIRED,
                "The lease " + lease.leaseId() + " has expired: it could be counted on until " + lease.expiresAt()
                        + " at most. Acquire the project again before writing to it.");
    }

    private <T> T onFileThread(Callable<T> task) {
        try {
            return parts.files().call(task, () -> {});
        } catch (Exception e) {
            throw ProjectLockException.of(e);
        }
    }
}
