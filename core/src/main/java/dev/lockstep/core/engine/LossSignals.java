package dev.lockstep.core.engine;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;

/**
 * Notifies holders of lost leases: first what they attached to the loss, then the listeners and the log. A signal that no thread could be
 * started for is kept and tried again.
 */
final class LossSignals {
    private final Executor threads;
    private final Reporter reporter;
    private final Queue<LeaseHandle> unsignalled = new ConcurrentLinkedQueue<>();

    LossSignals(Executor threads, Reporter reporter) {
        this.threads = threads;
        this.reporter = reporter;
    }

    void signal(List<LeaseHandle> losers) {
        for (LeaseHandle lease : losers) {
            signal(lease);
        }
        for (LeaseHandle lease : losers) {
            reporter.lost(lease);
        }
    }

    private void signal(LeaseHandle lease) {
        try {
            if (lease.mustSignalLoss()) {
                threads.execute(lease::signalLoss);
            }
        } catch (RuntimeException | Error e) { // no thread could be started
            unsignalled.add(lease);
        }
    }

    /** Whether there are leases whose loss could not be signalled yet. */
    boolean isBehind() {
        return !unsignalled.isEmpty();
    }

    void retry() {
        for (int left = unsignalled.size(); left > 0; left--) {
            LeaseHandle lease = unsignalled.poll();
            if (lease != null) {
                signal(lease);
            }
        }
    }
}
