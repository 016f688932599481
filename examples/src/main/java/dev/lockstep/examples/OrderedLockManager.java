package dev.lockstep.examples;

import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import java.util.List;

/**
 * The source's manager of named locks. With the defaults of {@link Locks} a call waits at most a second for all of its locks, and
 * holds them under a lease of ten seconds that is renewed while the action runs.
 */
public final class OrderedLockManager {
    private final Locks locks;

    public OrderedLockManager(Locks locks) {
        this.locks = locks;
    }

    /** Runs the action under all these locks, which may be named in any order. */
    public void executeWithLocks(List<LockType.LockKey> lockKeys, Runnable action) {
        LockRequest request = LockRequest.exclusive(
                lockKeys.stream().map(LockType.LockKey::toKey).toList());
        locks.run(request, lease -> action.run());
    }
}
