package dev.lockstep.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets the thread that opened it end in order when Ctrl-C or a kill ends the process: it is interrupted, and the process
 * stays until it has closed this, or has used up the time that it has.
 */
final class OrderlyEnd implements AutoCloseable {
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread worker = Thread.currentThread();
    private final Thread hook;
    private volatile boolean asked;

    private OrderlyEnd(Duration patience, Runnable ifLate) {
        hook = new Thread(() -> end(patience, ifLate), "lockstep-end");
    }

    /** Gives the current thread this long; then {@code ifLate} has the last word. */
    static OrderlyEnd within(Duration patience, Runnable ifLate) {
        OrderlyEnd end = new OrderlyEnd(patience, ifLate);
        Runtime.getRuntime().addShutdownHook(end.hook);
        return end;
    }

    private void end(Duration patience, Runnable ifLate) {
        asked = true;
        worker.interrupt();
        try {
            if (!closed.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                ifLate.run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether the process is about to end, or the current thread was interrupted. */
    boolean isAsked() {
        return asked || Thread.currentThread().isInterrupted();
    }

    @Override
    public void close() {
        closed.countDown();
        if (!asked) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                asked = true; // the process has just begun to end
            }
        }
    }
}
