package dev.lockstep.inventory;

import dev.lockstep.core.Attempt;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.inventory.Outcome.Failed;
import java.util.List;

/** Works under locks that aren't the database's. If such a lock is lost, the guard on the row still refuses what is stale. */
record UnderLocks(Locks locks, Clerk clerk) implements OneByOne.Attempt {
    @Override
    public void on(Work work) throws ConflictException, InterruptedException {
        try {
            Attempt attempt = locks.tryAcquire(LockRequest.exclusive(work.lines().stream()
                            .map(line -> line.key().lockKey())
                            .toList())
                    .within(work.deadline().remaining())
                    .as("inventory"));
            if (attempt instanceof Granted granted) {
                settle(work, granted.lease());
            } else {
                work.timeOut();
            }
        } catch (LockException e) {
            if (e.code() == ErrorCode.INTERRUPTED && Thread.interrupted()) {
                throw new InterruptedException(e.getMessage());
            }
            work.complete(new Failed(work.requestId(), e));
        }
    }

    private void settle(Work work, Lease lease) throws ConflictException, InterruptedException {
        try (lease) {
            clerk.settle(List.of(work), Reading.unlocked(work.deadline()));
        }
    }
}
