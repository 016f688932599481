package dev.lockstep.core.engine;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Interrupts the thread of a lost lease, and never after the lease was closed. It has its own lock, and
 * not the stripe's, because an interrupt may run other code: it closes the channel that the thread is blocked on.
 */
final class LossInterrupt {
    private final Thread thread;
    private final ReentrantLock lock =
            new ReentrantLock(); // reentrant, because a thread may close what it interrupts itself
    private boolean armed = true;

    LossInterrupt(Thread thread) {
        this.thread = thread;
    }

    void fire() {
        lock.lock();
        try {
            if (armed) {
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    void disarm() {
        lock.lock();
        try {
            armed = false;
        } finally {
            lock.unlock();
        }
    }
}
