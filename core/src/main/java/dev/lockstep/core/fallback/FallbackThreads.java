package dev.lockstep.core.fallback;

import dev.lockstep.core.LockClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of a pair. The register, the primary and those who wait have one each, so that a server that hangs makes only its own
 * thread late.
 */
final class FallbackThreads {
    private static final Logger LOG = LoggerFactory.getLogger(FallbackStore.class);
    private static final int BACKGROUND = 8;
    static final long LONGEST_NAP = TimeUnit.SECONDS.toNanos(1);

    private final LockClock clock;
    private volatile boolean closed;
    private volatile List<Thread> threads = List.of();

    FallbackThreads(LockClock clock) {
        this.clock = clock;
    }

    /** Runs what may take long and is not waited for. */
    static ExecutorService background() {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                BACKGROUND,
                BACKGROUND,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> daemon("lockstep-fallback-late", task),
                new ThreadPoolExecutor.DiscardPolicy());
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private static Thread daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Starts them: each task answers for how many nanoseconds its thread may sleep. */
    void start(LongSupplier confirm, LongSupplier probe, LongSupplier evict) {
        threads = List.of(
                daemon("lockstep-fallback-evictor", () -> loop(evict)),
                daemon("lockstep-fallback-epoch", () -> loop(confirm)),
                daemon("lockstep-fallback-probe", () -> loop(probe)));
        threads.forEach(Thread::start);
    }

    private void loop(LongSupplier task) {
        while (!closed) {
            long nap = LONGEST_NAP;
            try {
                nap = task.getAsLong();
            } catch (Throwable e) { // without this thread the pair would stand still
                if (!closed) {
                    LOG.error("The fallback store continues after an error", e);
                }
            }
            if (!closed) {
                clock.park(this, nap);
            }
        }
    }

    /** Wakes the evictor. */
    void stir() {
        threads.stream().findFirst().ifPresent(LockSupport::unpark);
    }

    /** How long to sleep between looks that are this often done in that time. */
    static long part(Duration time, int looks) {
        return Math.max(1, Math.min(LONGEST_NAP, time.toNanos() / looks));
    }

    void close() {
        closed = true;
        threads.forEach(LockSupport::unpark);
    }
}
