package dev.lockstep.core.concurrent;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.internal.Durations;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * A key as a {@link Lock} that belongs to the locking thread. The thread may lock it again, and only this thread unlocks it. Unless a term is given, it is
 * renewed until it is unlocked.
 *
 * <p>Unlike a lock inside one process it can be lost, as every {@link Lease} can: then {@link #unlock} throws. {@link #lease} gives the lease, with its
 * {@linkplain Lease#token token} for guarded writes and its {@linkplain Lease#lost loss signal}. What {@link dev.lockstep.core.Locks#acquire} throws, other
 * than for a timeout or an interrupt, every method that locks throws too, and then holds nothing.
 */
public final class LockView implements Lock {
    private final LockViews views;
    private final LockKey key;
    private final LockMode mode;
    private final LockRequest patient;
    private final LockRequest immediate;

    LockView(LockViews views, LockKey key, LockMode mode) {
        LockRequest request = mode == LockMode.EXCLUSIVE ? LockRequest.exclusive(key) : LockRequest.shared(key);
        this.views = views;
        this.key = key;
        this.mode = mode;
        patient = request.withoutLimit();
        immediate = request.withoutWaiting();
    }

    /**
     * Waits for as long as it takes, also when the thread is interrupted, which it then still is.
     *
     * @throws dev.lockstep.core.LeaseLostException if this thread had locked it before and lost it
     */
    @Override
    public void lock() {
        requireLocked(acquireUninterruptibly(patient, null));
    }

    /**
     * The same for a fixed term that is not renewed. If this thread has locked it already, it is held for at least this long from now on.
     *
     * @throws dev.lockstep.core.InvalidRequestException if the term is not positive
     */
    public void lock(Duration term) {
        requireLocked(acquireUninterruptibly(patient.forTerm(term), term));
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        requireLocked(acquire(patient, null));
    }

    private void requireLocked(boolean locked) {
        if (!locked) {
            throw new IllegalStateException(
                    "The request for " + key
                            + " has no time limit, and its wait ended all the same. It is not locked. Check what the locks are built on.");
        }
    }

    /** Locks it if it is free. Nothing is thrown if the thread is interrupted. */
    @Override
    public boolean tryLock() {
        return acquireUninterruptibly(immediate, null);
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return acquire(waiting(Duration.ofNanos(unit.toNanos(time))), null);
    }

    /**
     * The same for a fixed term, as in {@link #lock(Duration)}.
     *
     * @throws InterruptedException if the thread is interrupted before or while it waits
     * @throws dev.lockstep.core.InvalidRequestException if the term is not positive
     */
    public boolean tryLock(Duration wait, Duration term) throws InterruptedException {
        return acquire(waiting(wait).forTerm(term), term);
    }

    private LockRequest waiting(Duration wait) {
        if (wait.isZero() || wait.isNegative()) {
            return immediate;
        }
        return wait.compareTo(Durations.LONGEST) < 0 ? patient.within(wait) : patient;
    }

    private boolean acquire(LockRequest request, @Nullable Duration term) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("Interrupted before " + key + " was locked. Nothing was acquired.");
        }
        return enterAgain(term) || acquireFirst(request);
    }

    private boolean acquireUninterruptibly(LockRequest request, @Nullable Duration term) {
        if (enterAgain(term)) {
            return true;
        }
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return acquireFirst(request);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean enterAgain(@Nullable Duration term) {
        ThreadHold hold = views.holds().find(key, mode);
        if (hold == null) {
            return false;
        }
        hold.lease.ensureHeld();
        if (term != null) {
            hold.lease.renew(term);
        }
        hold.count++;
        return true;
    }

    private boolean acquireFirst(LockRequest request) throws InterruptedException {
        ThreadHolds holds = views.holds();
        Lease lease = views.source().acquire(request, holds.leaseOf(key));
        if (lease == null) {
            return false;
        }
        holds.add(key, mode, lease);
        return true;
    }

    /**
     * Unlocks it once; the last unlock releases the lease.
     *
     * @throws IllegalMonitorStateException if this thread has not locked it; nothing was released
     * @throws dev.lockstep.core.LeaseLostException if the lease was lost before the last unlock; it is unlocked
     */
    @Override
    public void unlock() {
        ThreadHold hold = requireHold();
        hold.count--;
        if (hold.count > 0) {
            return;
        }
        views.holds().remove(hold);
        switch (hold.lease.release()) {
            case RELEASED -> {}
            case LOST -> hold.lease.ensureHeld(); // throws, and knows why
        }
    }

    private ThreadHold requireHold() {
        ThreadHold hold = views.holds().find(key, mode);
        if (hold == null) {
            throw new IllegalMonitorStateException(
                    "Thread '" + Thread.currentThread().getName()
                            + "' has not locked " + key + " (" + mode
                            + "). Nothing was released. Unlock it on the thread that locked it, once for each time.");
        }
        return hold;
    }

    /** The lease by which this thread holds it; empty if it has not locked it. Close it by {@link #unlock}. */
    public Optional<Lease> lease() {
        ThreadHold hold = views.holds().find(key, mode);
        return hold == null ? Optional.empty() : Optional.of(hold.lease);
    }

    /**
     * There are none: a thread that waited for a condition would wait for threads of other processes.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("A lock that is shared between processes has no conditions: "
                + "signals don't reach other processes. Poll, or use a message queue.");
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LockView view && views == view.views && mode == view.mode && key.equals(view.key);
    }

    @Override
    public int hashCode() {
        return 31 * key.hashCode() + mode.hashCode();
    }

    @Override
    public String toString() {
        return "Lock " + key + " (" + mode + ")";
    }
}
