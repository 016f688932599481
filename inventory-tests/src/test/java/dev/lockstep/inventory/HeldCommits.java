package dev.lockstep.inventory;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;

/** Commits that wait until the test lets them go, whatever happens to the threads that wait. */
final class HeldCommits implements Tap {
    private final AtomicInteger waiting = new AtomicInteger();
    private final CountDownLatch go = new CountDownLatch(1);

    @Override
    public void commit(Connection real) throws SQLException {
        waiting.incrementAndGet();
        boolean interrupted = false;
        while (go.getCount() > 0) {
            LockSupport.parkNanos(1_000_000);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        real.commit();
    }

    /** Waits until so many commits have come here. */
    void await(int count) {
        Awaitility.await().until(() -> waiting.get() >= count);
    }

    int count() {
        return waiting.get();
    }

    void release() {
        go.countDown();
    }
}
