package dev.lockstep.examples;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.examples.AccountKinds.ACCOUNT;
import static dev.lockstep.examples.AccountKinds.RESOURCE;
import static dev.lockstep.examples.AccountKinds.USER;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import java.util.List;

/** The source's lock of users, accounts and resources: what is above the target is shared, the target is exclusive. */
public final class HierLock {
    private final Locks locks;

    public HierLock(Locks locks) {
        this.locks = locks;
    }

    /** Locks one thing. Ids below the level are not looked at; all others are required. */
    public LockHandle acquire(AccountKinds level, String userId, String accountId, String resourceId) {
        LockKey user = USER.key(userId);
        return take(
                switch (level) {
                    case USER -> exclusive(user);
                    case ACCOUNT -> exclusive(user.child(ACCOUNT, accountId));
                    case RESOURCE -> exclusive(user.child(ACCOUNT, accountId).child(RESOURCE, resourceId));
                });
    }

    /** Locks several resources of one account; never deadlocks, whatever order they are named in. */
    public LockHandle acquireResources(String userId, String accountId, List<String> resourceIds) {
        LockKey account = USER.key(userId).child(ACCOUNT, accountId);
        return take(exclusive(
                resourceIds.stream().map(id -> account.child(RESOURCE, id)).toList()));
    }

    private LockHandle take(LockRequest request) {
        return new LockHandle(locks.acquire(request));
    }

    /** What is held until it is released. */
    public record LockHandle(Lease lease) implements AutoCloseable {
        /** Releases the locks; calling it again does nothing. */
        public void release() {
            lease.close();
        }

        @Override
        public void close() {
            release();
        }
    }
}
