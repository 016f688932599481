package dev.lockstep.testkit;

import dev.lockstep.projectlock.PlatformLockUnavailableException;
import dev.lockstep.projectlock.PlatformLocks;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The platform's lock of a project, for tests: a real one inside this process, unless the test has queued other answers. Several
 * project locks may share one, as if they ran on one machine.
 */
public final class MockNavigatorLocks implements PlatformLocks {
    private enum Answer {
        BUSY,
        UNAVAILABLE
    }

    private final Queue<Answer> queue = new ConcurrentLinkedQueue<>();
    private final AtomicReference<@Nullable PlatformLock> held = new AtomicReference<>();
    private final AtomicInteger requests = new AtomicInteger();
    private volatile boolean unavailable;

    /** A lock that is free. */
    public MockNavigatorLocks() {}

    /** The next request finds another holder. */
    public MockNavigatorLocks thenBusy() {
        queue.add(Answer.BUSY);
        return this;
    }

    /** The next request finds that the platform has no such locks. */
    public MockNavigatorLocks thenUnavailable() {
        queue.add(Answer.UNAVAILABLE);
        return this;
    }

    /** No request finds any locks from now on. */
    public MockNavigatorLocks unavailable() {
        this.unavailable = true;
        return this;
    }

    /** How often it was asked for. */
    public int requests() {
        return requests.get();
    }

    /** Whether it is held. */
    public boolean isHeld() {
        return held.get() != null;
    }

    /** Takes it from its holder, as the death of a process does. */
    public void die() {
        held.set(null);
    }

    @Override
    public Optional<PlatformLock> tryLock() throws PlatformLockUnavailableException {
        requests.incrementAndGet();
        Answer scripted = queue.poll();
        if (unavailable || scripted == Answer.UNAVAILABLE) {
            throw new PlatformLockUnavailableException("NotSupportedError, as the test wants", null);
        }
        PlatformLock lock = newLock();
        return scripted != Answer.BUSY && held.compareAndSet(null, lock) ? Optional.of(lock) : Optional.empty();
    }

    @Override
    public Optional<PlatformLock> steal() {
        PlatformLock lock = newLock();
        held.set(lock);
        return Optional.of(lock);
    }

    private PlatformLock newLock() {
        return new PlatformLock() {
            @Override
            public void release() {
                held.compareAndSet(this, null);
            }
        };
    }
}
