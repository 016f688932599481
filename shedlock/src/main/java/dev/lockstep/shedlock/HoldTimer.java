package dev.lockstep.shedlock;

import dev.lockstep.core.Deadline;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Releases locks at their time, on one thread that ends when there is nothing left to release. */
final class HoldTimer {
    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, HoldTimer::thread);

    HoldTimer() {
        executor.setRemoveOnCancelPolicy(true);
        executor.setKeepAliveTime(10, TimeUnit.SECONDS);
        executor.allowCoreThreadTimeOut(true);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "lockstep-shedlock");
        thread.setDaemon(true);
        return thread;
    }

    Future<?> at(Deadline time, Runnable release) {
        return executor.schedule(release, time.remainingNanos(), TimeUnit.NANOSECONDS);
    }
}
