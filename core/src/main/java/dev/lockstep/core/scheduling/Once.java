package dev.lockstep.core.scheduling;

import dev.lockstep.core.Deadline;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.LockTimeoutException;
import dev.lockstep.core.Locks;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.core.internal.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A task that several nodes start at about the same time and one of them runs. {@link Locks#once} is shorter.
 *
 * <p>The locks are held for a minimum time from the grant on, also after the task has ended, so that a node whose clock is late does not run a short
 * task again. While the task works they are renewed. The minimum time outlasts a crash where the store keeps leases: in Redis. On a database a hold
 * ends with its connection, so there another node may run the task after a crash of the first.
 */
public final class Once {
    /** A lease ends this fraction of its term before the store's. */
    private static final int MARGIN = 100;

    private Once() {}

    /**
     * Runs a task if the locks are acquired, and holds them at least this long. It waits as long as the request says, and for the default wait if that says
     * nothing: a task that is to be skipped takes a request {@link LockRequest#withoutWaiting() without waiting}.
     *
     * @return whether it ran; if not, another node runs it, or ran it less than the minimum time ago
     * @throws LeaseLostException if the locks were lost before the task ended, even if the task succeeded
     * @throws InvalidRequestException if the time is negative, or longer than the longest hold or the longest term of the store; the task was not run
     * @throws LockException for the reasons of {@link Locks#tryAcquire}; the task was not run
     * @throws X what the task throws
     */
    public static <X extends Exception> boolean run(
            Locks locks, LockRequest request, Duration atLeast, Locks.LeaseTask<X> task) throws X {
        Durations.requireNotNegative("The minimum time of a hold", atLeast);
        long start = locks.clock().nanos();
        Lease lease = acquire(locks, request);
        if (lease == null) {
            return false;
        }
        Deadline until = Deadline.in(atLeast, locks.clock());
        boolean kept = false;
        try {
            keep(lease, atLeast, start, locks.clock());
            kept = true;
        } finally {
            if (!kept) {
                lease.release();
            }
        }
        run(locks, lease, until, task);
        return true;
    }

    /** The lease belongs to no thread: what the thread locks after the task is not nested in it. */
    private static @Nullable Lease acquire(Locks locks, LockRequest request) {
        CompletableFuture<Lease> asked = locks.acquireAsync(request);
        try {
            return asked.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof LockTimeoutException) {
                return null;
            }
            throw e.getCause() instanceof LockException failure ? failure : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            asked.cancel(true);
            CompletableFuture<?> unused = asked.thenAccept(Lease::close); // it may have been granted just before
            Thread.currentThread().interrupt();
            throw new LockException(
                    ErrorCode.INTERRUPTED,
                    "Interrupted while acquiring " + request.keys() + ". The task was not run.",
                    request.keys(),
                    e);
        }
    }

    private static void keep(Lease lease, Duration atLeast, long start, LockClock clock) {
        if (atLeast.isZero()) {
            return;
        }
        lease.renew(atLeast);
        Instant asked = Instant.ofEpochMilli(clock.millis()).minusNanos(clock.nanos() - start);
        Duration margin =
                atLeast.dividedBy(MARGIN).plusMillis(2); // a lease ends a moment before its term, in whole milliseconds
        if (lease.expiresAt().isBefore(asked.plus(atLeast).minus(margin))) {
            throw new InvalidRequestException(
                    "The minimum time of a hold is " + atLeast + ", but " + lease.keys()
                            + " can be held for " + Duration.between(asked, lease.expiresAt())
                            + " only. Nothing is held, and the task was not run. Give a longer longest hold, or a shorter minimum time.");
        }
    }

    private static <X extends Exception> void run(Locks locks, Lease lease, Deadline until, Locks.LeaseTask<X> task)
            throws X {
        try {
            call(lease, task);
        } catch (Throwable e) {
            LeaseLostException lost = end(locks, lease, until);
            if (lost != null && lost != e) {
                e.addSuppressed(lost);
            }
            throw e;
        }
        LeaseLostException lost = end(locks, lease, until);
        if (lost != null) {
            throw lost;
        }
    }

    @SuppressWarnings({"unchecked", "try"})
    private static <X extends Exception> void call(Lease lease, Locks.LeaseTask<X> task) throws X {
        try {
            boolean unused = lease.bind(() -> {
                        try (LockCheck.Scope scope = LockCheck.locked(lease)) {
                            task.run(lease);
                        }
                        return true;
                    })
                    .call();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw (X) e;
        }
    }

    /** Releases the lease, now or at its time; returns the error if it was lost. */
    private static @Nullable LeaseLostException end(Locks locks, Lease lease, Deadline until) {
        LeaseLostException lost = lossOf(lease);
        if (lost == null && !until.passed()) {
            releaseAt(until, lease, locks);
            return null;
        }
        return lease.release() == ReleaseOutcome.LOST && lost == null ? lossOf(lease) : lost;
    }

    private static void releaseAt(Deadline until, Lease lease, Locks locks) {
        try {
            MinimumHolds.releaseAt(until, lease, locks.clock());
        } catch (Throwable e) { // no thread can be started
            lease.close();
            throw e;
        }
    }

    private static @Nullable LeaseLostException lossOf(Lease lease) {
        try {
            lease.ensureHeld();
            return null;
        } catch (LeaseLostException e) {
            return e;
        }
    }
}
