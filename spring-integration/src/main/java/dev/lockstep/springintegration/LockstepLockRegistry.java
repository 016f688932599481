package dev.lockstep.springintegration;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.Locks;
import dev.lockstep.core.concurrent.LockView;
import dev.lockstep.core.concurrent.LockViews;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * Spring Integration's locks on any store of Lockstep. A lock is renewed in the background until it is unlocked, unless it was locked with a time to
 * live; no {@code TaskScheduler} is needed.
 *
 * <p>Locks of a registry are outside the lock order, because a message flow may lock one group inside another in any order. So nothing detects two
 * threads that wait for each other: limit the wait.
 */
public final class LockstepLockRegistry
        implements ExpirableLockRegistry<DistributedLock>, RenewableLockRegistry<DistributedLock> {
    private final LockKind kind;
    private final LockViews views;

    private LockstepLockRegistry(Locks locks, LockKind kind) {
        this.kind = Objects.requireNonNull(kind, "kind");
        views = LockViews.unordered(locks);
    }

    /** A registry whose locks are keys of this kind, which must have no parent, such as {@code LockKind.of("message-group", 20)}. */
    public static LockstepLockRegistry on(Locks locks, LockKind kind) {
        return new LockstepLockRegistry(locks, kind);
    }

    /**
     * The lock of a key. Locks obtained for equal keys are the same lock, though not the same object.
     *
     * @param lockKey a text, a number, a UUID, or a {@link LockKey} of any kind
     * @throws IllegalArgumentException if it is anything else: its text might differ between processes
     */
    @Override
    public DistributedLock obtain(Object lockKey) {
        return new RegistryLock(view(lockKey));
    }

    private LockView view(Object lockKey) {
        return views.lock(keyOf(lockKey));
    }

    private LockKey keyOf(Object lockKey) {
        if (lockKey instanceof LockKey key) {
            return key;
        }
        if (lockKey instanceof CharSequence || lockKey instanceof Number || lockKey instanceof UUID) {
            return kind.key(lockKey.toString());
        }
        throw new IllegalArgumentException("A lock key must be a text, a number, a UUID or a LockKey, but was "
                + (lockKey == null ? "null" : "a " + lockKey.getClass().getName())
                + ". Pass its id, which is the same in every process.");
    }

    /** Does nothing: a lock that is not held leaves nothing behind. */
    @Override
    public void expireUnusedOlderThan(long age) {}

    /**
     * Extends the current thread's lock to a full term from now on.
     *
     * @throws IllegalMonitorStateException if the thread does not hold it
     * @throws IllegalStateException if it was lost
     */
    @Override
    public void renewLock(Object lockKey) {
        renew(lockKey, Lease::renew);
    }

    /**
     * Extends the current thread's lock to at least this long from now on.
     *
     * @throws IllegalMonitorStateException if the thread does not hold it
     * @throws IllegalStateException if it was lost
     */
    @Override
    public void renewLock(Object lockKey, Duration ttl) {
        renew(lockKey, lease -> lease.renew(ttl));
    }

    private void renew(Object lockKey, Consumer<Lease> renewal) {
        LockView view = view(lockKey);
        Lease lease = view.lease()
                .orElseThrow(() -> new IllegalMonitorStateException(
                        "Thread '" + Thread.currentThread().getName() + "' does not hold " + view
                                + ". Nothing was renewed. Renew it on the thread that locked it."));
        try {
            renewal.accept(lease);
        } catch (LeaseLostException e) {
            throw new IllegalStateException(view + " could not be renewed: " + e.getMessage(), e);
        }
    }
}
