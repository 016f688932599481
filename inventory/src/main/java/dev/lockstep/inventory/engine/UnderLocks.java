package dev.lockstep.inventory.engine;

import dev.lockstep.core.Attempt;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.inventory.Outcome.Failed;
import dev.lockstep.inventory.books.PendingCommand;
import dev.lockstep.inventory.books.ReadMode;
import dev.lockstep.inventory.sql.ConflictException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Works under locks that aren't the database's. If such a lock is lost, the guard on the row still refuses what is stale. */
record UnderLocks(Locks locks, SettlementRunner runner) implements OneByOne.Attempt, Admission {
    @Override
    public void on(PendingCommand work) throws ConflictException, InterruptedException {
        try {
            Attempt attempt = locks.tryAcquire(request(work));
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

    private static LockRequest request(PendingCommand work) {
        return LockRequest.exclusive(
                        work.lines().stream().map(line -> line.key().lockKey()).toList())
                .within(work.deadline().remaining())
                .as("inventory");
    }

    @Override
    public void admit(PendingCommand work, Consumer<Runnable> start) {
        if (work.deadline().passed()) {
            work.timeOut();
            return;
        }
        var unused = locks.acquireAsync(request(work)).whenComplete((lease, error) -> {
            if (error == null) {
                start.accept(lease::close);
            } else {
                refuse(work, error);
            }
        });
    }

    private static void refuse(PendingCommand work, Throwable wrapped) {
        @Nullable Throwable cause = wrapped instanceof CompletionException ? wrapped.getCause() : null;
        Throwable error = cause == null ? wrapped : cause;
        if (error instanceof LockException lock && lock.code() == ErrorCode.TIMEOUT) {
            work.timeOut();
        } else {
            work.complete(new Failed(work.requestId(), error));
        }
    }

    private void settle(PendingCommand work, Lease lease) throws ConflictException, InterruptedException {
        try (lease) {
            runner.settle(List.of(work), ReadMode.unlocked(work.deadline()));
        }
    }
}
