package dev.lockstep.chaos;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A thread that should run every few milliseconds, and writes down when it could not: the process, or the machine, stood still. */
final class Pulse {
    private static final long BEAT = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long WORTH_TELLING = TimeUnit.MILLISECONDS.toNanos(20);

    private Pulse() {}

    static void start(History history) {
        Thread thread = new Thread(() -> beat(history), "chaos-pulse");
        thread.setDaemon(true);
        thread.start();
    }

    private static void beat(History history) {
        long last = System.nanoTime();
        while (true) {
            LockSupport.parkNanos(BEAT);
            long now = System.nanoTime();
            long late = now - last - BEAT;
            if (late > WORTH_TELLING) {
                history.now("stall", "from", last, "nanos", late);
            }
            last = now;
        }
    }
}
