package dev.lockstep.chaos;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A thread that should run every few milliseconds, and writes down when it could not: the process, or the machine, stood still. */
final class StallDetector implements AutoCloseable {
    private static final long BEAT = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long WORTH_TELLING = TimeUnit.MILLISECONDS.toNanos(20);

    private final History history;
    private final Thread thread = new Thread(this::beat, "chaos-pulse");
    private volatile boolean closed;

    private StallDetector(History history) {
        this.history = history;
        thread.setDaemon(true);
    }

    static StallDetector start(History history) {
        StallDetector pulse = new StallDetector(history);
        pulse.thread.start();
        return pulse;
    }

    /** A thread that should have gone on at this moment went on only now. */
    static void late(History history, long from, long due) {
        long now = System.nanoTime();
        if (now - due > WORTH_TELLING) {
            history.add(HistoryLine.of(now, "stall", "from", from, "nanos", now - due));
        }
    }

    private void beat() {
        long last = System.nanoTime();
        while (!closed) {
            LockSupport.parkNanos(BEAT);
            late(history, last, last + BEAT);
            last = System.nanoTime();
        }
    }

    /** Writes nothing any more when this returns. */
    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
