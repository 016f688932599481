package dev.lockstep.springintegration;

import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.concurrent.LockView;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.springframework.integration.support.locks.DistributedLock;

/** A lock of the registry: a view of its key, with the exception that Spring Integration expects for a lost one. */
record RegistryLock(LockView view) implements DistributedLock {
    @Override
    public void lock() {
        view.lock();
    }

    @Override
    public void lock(Duration ttl) {
        view.lock(ttl);
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        view.lockInterruptibly();
    }

    @Override
    public boolean tryLock() {
        return view.tryLock();
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return view.tryLock(time, unit);
    }

    @Override
    public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
        return view.tryLock(waitTime, ttl);
    }

    /**
     * Unlocks it once.
     *
     * @throws IllegalMonitorStateException if the thread does not hold it; nothing was released
     * @throws ConcurrentModificationException if it was lost before; another holder may have changed what it protects
     */
    @Override
    public void unlock() {
        try {
            view.unlock();
        } catch (LeaseLostException e) {
            throw new ConcurrentModificationException(
                    "The lock was lost before it was unlocked, so what it protects may have been changed: "
                            + e.getMessage(),
                    e);
        }
    }

    @Override
    public Condition newCondition() {
        return view.newCondition();
    }

    @Override
    public String toString() {
        return view.toString();
    }
}
