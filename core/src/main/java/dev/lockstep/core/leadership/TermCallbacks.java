package dev.lockstep.core.leadership;

import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The callbacks of one term, in order, on their own thread. What they throw is logged. */
final class TermCallbacks {
    private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);

    private final Term term;
    private final Candidacy.Options options;
    private final Runnable whenDone;
    private final Thread thread = new Thread(this::run, "lockstep-leader-callbacks");
    private boolean inElected = true; // guarded by this
    private volatile @Nullable Stop stop;
    private volatile boolean done;

    TermCallbacks(Term term, Candidacy.Options options, Runnable whenDone) {
        this.term = term;
        this.options = options;
        this.whenDone = whenDone;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            call(options.whenElected(), term, "whenElected");
            electedReturned();
            while (stop == null) {
                LockSupport.park(this);
            }
            call(options.whenStopped(), Objects.requireNonNull(stop), "whenStopped");
        } finally {
            done = true;
            whenDone.run();
        }
    }

    private <T> void call(Consumer<T> action, T argument, String name) {
        try {
            action.accept(argument);
        } catch (Throwable e) {
            LOG.warn("{} of the leadership of '{}' failed; the leadership continues", name, term.key(), e);
        }
    }

    /** After this no interrupt comes any more, and one that was late is cleared. */
    private synchronized void electedReturned() {
        inElected = false;
        Thread.interrupted();
    }

    /** Ends the term: interrupts the first callback if it still works, and lets the second one run after it. */
    synchronized void stop(Stop end) {
        stop = end;
        if (inElected) {
            thread.interrupt();
        } else {
            LockSupport.unpark(thread);
        }
    }

    boolean isDone() {
        return done;
    }

    boolean isCurrentThread() {
        return Thread.currentThread() == thread;
    }
}
