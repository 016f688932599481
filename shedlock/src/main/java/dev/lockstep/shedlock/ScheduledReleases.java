package dev.lockstep.shedlock;

import dev.lockstep.core.Deadline;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases locks at their time. One thread waits for the times, and a few others release, so that a release that takes long delays no other one. All of
 * them end when there is nothing left to release.
 */
final class ScheduledReleases {
    private static final Logger LOG = LoggerFactory.getLogger(ScheduledReleases.class);
    private static final int AT_A_TIME = 4;
    private static final long IDLE_SECONDS = 10;

    private final ScheduledThreadPoolExecutor times = new ScheduledThreadPoolExecutor(1, ScheduledReleases::thread);
    private final ThreadPoolExecutor releases = new ThreadPoolExecutor(
            AT_A_TIME,
            AT_A_TIME,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            ScheduledReleases::thread);

    ScheduledReleases() {
        times.setRemoveOnCancelPolicy(true);
        times.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        times.allowCoreThreadTimeOut(true);
        releases.allowCoreThreadTimeOut(true);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "lockstep-shedlock");
        thread.setDaemon(true);
        return thread;
    }

    Future<?> at(Deadline time, Runnable release) {
        return times.schedule(() -> start(release), time.remainingNanos(), TimeUnit.NANOSECONDS);
    }

    private void start(Runnable release) {
        try {
            releases.execute(() -> run(release));
        } catch (OutOfMemoryError e) { // no thread could be started
            run(release);
        }
    }

    private static void run(Runnable release) {
        try {
            release.run();
        } catch (RuntimeException | Error e) {
            LOG.warn("A lock could not be released at its time; unless it is renewed it ends with its term", e);
        }
    }
}
