package dev.lockstep.core.concurrent;

import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.Locks;
import java.util.Objects;
import java.util.concurrent.locks.ReadWriteLock;

/**
 * Views of keys as {@link java.util.concurrent.locks.Lock}s that belong to the locking thread. All views of one key that come from one
 * {@code LockViews} are the same lock: a thread may lock through one and unlock through another. A view keeps nothing while it is not locked.
 */
public final class LockViews {
    private final LeaseAcquirer source;
    private final ThreadLocal<ThreadHolds> holds = ThreadLocal.withInitial(ThreadHolds::new);

    private LockViews(LeaseAcquirer source) {
        this.source = source;
    }

    /** Views that take part in the lock order: a thread that locks one inside another, or inside a lease, must follow it. */
    public static LockViews on(Locks locks) {
        return new LockViews(new ThreadLeases(Objects.requireNonNull(locks, "locks")));
    }

    /**
     * Views outside the lock order, for code that locks one inside another in an order that can't be known. Each key has its own holder, so
     * nothing detects two threads that wait for each other: limit the wait with {@code tryLock}.
     */
    public static LockViews unordered(Locks locks) {
        return new LockViews(new SeparateLeases(Objects.requireNonNull(locks, "locks")));
    }

    /** The exclusive lock of a key. */
    public LockView lock(LockKey key) {
        return new LockView(this, key, LockMode.EXCLUSIVE);
    }

    /**
     * The shared and the exclusive lock of a key. A thread that holds the exclusive one may lock the shared one, and the key stays exclusive until both
     * are unlocked. The reverse is refused.
     */
    public ReadWriteLock readWriteLock(LockKey key) {
        return new KeyReadWriteLock(new LockView(this, key, LockMode.SHARED), lock(key));
    }

    LeaseAcquirer source() {
        return source;
    }

    /** What the current thread holds. */
    ThreadHolds holds() {
        return holds.get();
    }
}
