package dev.lockstep.core.internal;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.locks.LockSupport;

/**
 * Guards a few dozen instructions that never block and call no other code. It costs one compare-and-set where a
 * {@link java.util.concurrent.locks.ReentrantLock} costs several times that, for its queue, its owner and the garbage
 * collector's barrier on it. Not reentrant, not fair. A thread that finds it taken spins, then yields, then sleeps.
 */
public class BriefLock {
    private static final AtomicIntegerFieldUpdater<BriefLock> TAKEN =
            AtomicIntegerFieldUpdater.newUpdater(BriefLock.class, "taken");
    private static final int SPINS = 100;
    private static final int YIELDS = 100;
    private static final long NAP_NANOS = 50_000;

    private volatile int taken;

    /** A lock that is free. */
    public BriefLock() {}

    /** Takes it. */
    public final void lock() {
        if (!TAKEN.compareAndSet(this, 0, 1)) {
            lockSlowly();
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // the thread that holds it needs the processor, and only for a moment
    private void lockSlowly() {
        for (int tries = 0; taken != 0 || !TAKEN.compareAndSet(this, 0, 1); tries++) {
            if (tries < SPINS) {
                Thread.onSpinWait();
            } else if (tries < SPINS + YIELDS) {
                Thread.yield();
            } else {
                LockSupport.parkNanos(this, NAP_NANOS);
            }
        }
    }

    /** Frees it; only for the thread that took it. */
    public final void unlock() {
        TAKEN.lazySet(this, 0);
    }
}
