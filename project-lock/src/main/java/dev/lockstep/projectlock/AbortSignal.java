package dev.lockstep.projectlock;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Cancels waits: those that were given it, from any thread, once and for all. */
public final class AbortSignal {
    private final Set<Runnable> waits = ConcurrentHashMap.newKeySet();
    private volatile boolean aborted;

    /** A signal that has not been given. */
    public AbortSignal() {}

    /** Cancels every wait that was given this signal, and those to come. */
    public void abort() {
        aborted = true;
        waits.forEach(Runnable::run);
    }

    /** Whether it was given. */
    public boolean isAborted() {
        return aborted;
    }

    /** Runs this when the signal is given, or at once when it was, until {@link #forget}. */
    void tell(Runnable wait) {
        waits.add(wait);
        if (aborted) {
            wait.run();
        }
    }

    void forget(Runnable wait) {
        waits.remove(wait);
    }
}
