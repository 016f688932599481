package dev.lockstep.testservers;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** A gate that threads pass while it is open, and wait at while it is shut. */
final class Gate {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean shut;

    void shut() {
        change(true);
    }

    void open() {
        change(false);
    }

    /** Lets those who wait look again at whether they have given up. */
    void nudge() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns when the gate is open, or the caller has given up. */
    void pass(BooleanSupplier givenUp) {
        lock.lock();
        try {
            while (shut && !givenUp.getAsBoolean()) {
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    private void change(boolean shut) {
        lock.lock();
        try {
            this.shut = shut;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
