package dev.lockstep.projectlock;

import dev.lockstep.core.LockClock;
import dev.lockstep.testkit.FakeClock;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;

/**
 * A clock for tests on one thread: where that thread would wait, the time passes at once. Other threads, such as the watch of a
 * lease, stand still until the end, so that nothing happens beside the test.
 */
final class SteppedClock implements LockClock, AutoCloseable {
    private final FakeClock clock;
    private final Thread test = Thread.currentThread();
    private final Set<Thread> standing = ConcurrentHashMap.newKeySet();
    private volatile Runnable onWait = () -> {};
    private volatile boolean closed;

    SteppedClock() {
        this(new FakeClock());
    }

    /** The same clock, for this thread. */
    SteppedClock(FakeClock clock) {
        this.clock = clock;
    }

    /** Does this at every wait of the test's thread, before the time passes. */
    void onWait(Runnable task) {
        this.onWait = task;
    }

    void advance(Duration time) {
        clock.advance(time);
    }

    @Override
    public long nanos() {
        return clock.nanos();
    }

    @Override
    public long millis() {
        return clock.millis();
    }

    @Override
    public void park(Object blocker, long nanos) {
        if (Thread.currentThread() == test) {
            onWait.run();
            clock.advance(Duration.ofNanos(nanos));
        } else {
            standing.add(Thread.currentThread());
            while (!closed) {
                LockSupport.park(blocker);
            }
        }
    }

    /** Waits until so many other threads stand still. */
    void awaitStanding(int threads) {
        Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> standing.size() >= threads);
    }

    @Override
    public void close() {
        closed = true;
        standing.forEach(LockSupport::unpark);
    }
}
