package dev.lockstep.examples;

import dev.lockstep.core.Deadline;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.ReleaseOutcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RLock;

/**
 * Takes Redisson's locks as well as Lockstep's, for as long as code runs that knows only Redisson's.
 *
 * <p>All of Lockstep's come first, then Redisson's in the same order. Who takes Redisson's alone, one at a time or in that order, takes the
 * end of the same list. So no cycle of waits is possible.
 *
 * @param longestWait for all locks of a call together
 * @param oldLock which lock the old code takes for a key
 */
public record RolloutLocks(Locks locks, Duration longestWait, Function<LockKey, RLock> oldLock) {
    /** Takes all of both kinds, or none. */
    public Held acquire(LockRequest request) {
        Deadline deadline = Deadline.in(longestWait, LockClock.system());
        Held held = new Held(locks.acquire(request.within(longestWait)));
        try {
            new TreeSet<>(request.keys()).forEach(key -> held.take(oldLock.apply(key), deadline));
            return held;
        } catch (RuntimeException | Error e) {
            held.close();
            throw e;
        }
    }

    /** Both kinds of locks, held. Any thread may use it, one at a time. */
    public static final class Held implements AutoCloseable {
        private final Lease lease;
        private final Deque<RLock> old = new ArrayDeque<>(); // the last one first
        private final long thread = Thread.currentThread().getId();
        private @Nullable ReleaseOutcome outcome;

        private Held(Lease lease) {
            this.lease = lease;
        }

        private void take(RLock lock, Deadline deadline) {
            long millis = deadline.remaining().toMillis();
            // Without a lease time (-1): the watchdog renews it, as Lockstep renews the lease.
            CompletableFuture<Boolean> taking =
                    lock.tryLockAsync(millis, -1, TimeUnit.MILLISECONDS, thread).toCompletableFuture();
            try {
                if (!taking.get()) {
                    throw failure(ErrorCode.TIMEOUT, lock, "is busy. Try again later", null);
                }
                old.push(lock);
            } catch (InterruptedException e) {
                CompletableFuture<Boolean> unused = taking.thenCompose(late -> unlockIf(late, lock));
                Thread.currentThread().interrupt();
                throw failure(ErrorCode.INTERRUPTED, lock, "was waited for when the thread was interrupted", e);
            } catch (ExecutionException e) {
                throw failure(ErrorCode.STORE_UNAVAILABLE, lock, "can't be taken", e.getCause());
            }
        }

        /** The one of Lockstep's. */
        public Lease lease() {
            return lease;
        }

        /** Throws unless all of both kinds are held. Asks Redis, because the loss of one of Redisson's is not reported. */
        public void ensureHeld() {
            lease.ensureHeld();
            for (RLock lock : old) {
                if (!lock.isHeldByThread(thread)) {
                    throw failure(ErrorCode.LEASE_LOST, lock, "is lost. Stop the work it protected", null);
                }
            }
        }

        /** Releases all, the last one first, and returns whether all were held until now. Never throws. */
        public ReleaseOutcome release() {
            if (outcome == null) {
                boolean kept = true;
                while (!old.isEmpty()) {
                    kept &= unlockIf(true, old.pop()).join();
                }
                ReleaseOutcome ours = lease.release();
                outcome = kept ? ours : ReleaseOutcome.LOST;
            }
            return outcome;
        }

        private CompletableFuture<Boolean> unlockIf(boolean taken, RLock lock) {
            return taken
                    ? lock.unlockAsync(thread).toCompletableFuture().handle((nothing, error) -> error == null)
                    : CompletableFuture.completedFuture(false);
        }

        private LockException failure(ErrorCode code, RLock lock, String what, @Nullable Throwable cause) {
            return new LockException(
                    code, "Redisson's lock '" + lock.getName() + "' " + what + ".", lease.keys(), cause);
        }

        @Override
        public void close() {
            release();
        }
    }
}
