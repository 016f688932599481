package dev.lockstep.projectlock;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockException;
import dev.lockstep.core.Locks;
import dev.lockstep.projectlock.ProjectLockState.Faulted;
import dev.lockstep.projectlock.ProjectLockState.Idle;
import dev.lockstep.projectlock.ProjectLockState.Requesting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lock of a project directory that an application saves to by itself: one holder at a time, in any process, for as long as
 * its lease lasts. Each instance is one holder; it may be used from any thread.
 *
 * <p>A lease rests on the record {@code .lock} in the directory and, where the operating system has locks, also on one of
 * those, so that a holder that died need not be waited for. Nothing is written outside the directory.
 */
public final class ProjectLock implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProjectLock.class);

    private final Parts parts;
    private final Duration term;
    private final StateCell cell = new StateCell();
    private final ActiveLease activeLease;
    private final ReentrantLock beginning = new ReentrantLock();
    private final AbortSignal closing = new AbortSignal();
    private volatile @Nullable ProjectLeaseWatcher watch;

    ProjectLock(Parts parts, Duration term) {
        this.parts = parts;
        this.term = term;
        this.activeLease = new ActiveLease(parts, cell);
    }

    /** The lock of a directory, with a term of 15 seconds. */
    public static ProjectLock open(Path project) {
        return at(project).open();
    }

    /** The lock of a directory, with options. */
    public static ProjectLockBuilder at(Path project) {
        return new ProjectLockBuilder(project);
    }

    /** Acquires the project, waiting up to 5 seconds. */
    public Acquisition acquire() {
        return acquire(AcquireOptions.defaults());
    }

    /**
     * Acquires the project. It is held until the lease's end, unless that is renewed before.
     *
     * @throws ProjectLockException with the failure acquire-timeout when another held it all the time; aborted when the
     *     wait was cancelled; lease-mismatch when this instance holds it or is about to; fallback-open-failed,
     *     fallback-read-failed or fallback-write-failed when its files can't be used
     */
    public Acquisition acquire(AcquireOptions options) {
        return acquire(options, false);
    }

    private Acquisition acquire(AcquireOptions options, boolean renewing) {
        HeldProject hold = new Acquire(parts, cell, options).run(begin(), closing);
        activeLease.begin(hold);
        try {
            watch = ProjectLeaseWatcher.start(activeLease, hold, parts.clock(), renewing);
            requireOpen(); // a close() that came before this lease did not see it
        } catch (RuntimeException | Error e) {
            releaseAfter(e, hold.lease());
            throw e;
        }
        return new Acquisition(hold.lease(), hold.lease().source() == LeaseSource.LEASE_FILE);
    }

    private Requesting begin() {
        activeLease.settle();
        beginning.lock();
        try {
            requireOpen();
            ProjectLockState now = cell.now();
            if (now instanceof Idle || now instanceof Faulted) {
                return cell.begin();
            }
        } finally {
            beginning.unlock();
        }
        throw parts.reporter()
                .acquireFailed(
                        new ProjectLockException(
                                ProjectLockFailure.LEASE_MISMATCH,
                                "This holder has the project already, or is acquiring it. Use the lease that it has, or release it"
                                        + " first."),
                        1);
    }

    private void requireOpen() {
        if (closing.isAborted()) {
            throw new LockException(ErrorCode.CLOSED, "This project lock was closed. Open another.", List.of(), null);
        }
    }

    /** Lets the lease last for a term from now. */
    public ProjectLease renew(ProjectLease lease) {
        return renew(lease, term);
    }

    /**
     * Lets the lease last this long from now. It never ends earlier than before.
     *
     * @throws ProjectLockException with the failure lease-expired when it has ended; lease-mismatch when it is not the one held
     *     here, or another has acquired the project; fallback-write-failed or fallback-read-failed when its files can't be
     *     used, and the lease is as it was
     */
    public ProjectLease renew(ProjectLease lease, Duration extension) {
        if (extension.compareTo(ProjectLockBuilder.SHORTEST) < 0
                || extension.compareTo(ProjectLockBuilder.LONGEST) > 0) {
            throw new InvalidRequestException("The extension is " + extension + ". Give 10 ms to 1 day.");
        }
        return activeLease.renew(lease, extension);
    }

    /** Releases the project; the work is done. */
    public void release(ProjectLease lease) {
        release(lease, ReleaseReason.COMPLETED);
    }

    /**
     * Releases the project.
     *
     * @throws ProjectLockException with the failure lease-expired when the lease had expired before; lease-mismatch when it is not
     *     the one held here; fallback-write-failed when its record could not be removed. The lease is not held any more then, and its
     *     record ends by itself or by another release
     */
    public void release(ProjectLease lease, ReleaseReason reason) {
        try {
            activeLease.release(lease, reason);
        } finally {
            wakeWatch();
        }
    }

    /** Holds the project around some work, with the defaults of {@link AcquireOptions}. */
    public <T, X extends Exception> T withLock(ProjectWork<T, X> work) throws X {
        return withLock(AcquireOptions.defaults(), work);
    }

    /**
     * Holds the project around some work, and renews the lease for as long as it takes.
     *
     * @throws ProjectLockException as {@link #acquire} does, and with the failure lease-expired or lease-mismatch when the lease
     *     was lost before the work ended
     */
    public <T, X extends Exception> T withLock(AcquireOptions options, ProjectWork<T, X> work) throws X {
        ProjectLease lease = acquire(options, true).lease();
        T result;
        try {
            result = work.run(lease);
        } catch (Throwable e) {
            releaseAfter(e, lease);
            throw e;
        }
        release(lease, ReleaseReason.COMPLETED);
        return result;
    }

    private void releaseAfter(Throwable failure, ProjectLease lease) {
        try {
            release(lease, ReleaseReason.ABORTED);
        } catch (ProjectLockException e) {
            failure.addSuppressed(e);
        }
    }

    /** Whether this lease can be counted on now, by the clocks alone. */
    public boolean isHeld(ProjectLease lease) {
        return activeLease.isHeld(lease);
    }

    /** Where the lock stands. */
    public ProjectLockState state() {
        return cell.now();
    }

    /** Reports all events from now on to a listener, until the subscription is closed. */
    public Locks.Subscription subscribe(ProjectLockListener listener) {
        return parts.reporter().subscribe(listener);
    }

    /** Cancels a wait, and releases what is held. */
    @Override
    public void close() {
        beginning.lock();
        try {
            closing.abort();
        } finally {
            beginning.unlock();
        }
        try {
            giveBack();
        } finally {
            parts.files().close();
            parts.reporter().close();
        }
    }

    private void giveBack() {
        activeLease.settle();
        HeldProject held = activeLease.current();
        if (held != null) {
            try {
                release(held.lease(), ReleaseReason.ABORTED);
            } catch (ProjectLockException e) {
                LOG.debug("The record of lease {} ends by itself", held.lease().leaseId(), e);
            }
        }
    }

    private void wakeWatch() {
        ProjectLeaseWatcher watching = watch;
        if (watching != null) {
            watching.wake();
        }
    }

    /** Some work under a project lock. */
    @FunctionalInterface
    public interface ProjectWork<T, X extends Exception> {
        /** Does it. */
        T run(ProjectLease lease) throws X;
    }
}
