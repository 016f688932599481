package dev.lockstep.core.engine;

import dev.lockstep.core.LockClock;
import dev.lockstep.core.Locks;
import dev.lockstep.core.Loss;
import dev.lockstep.core.spi.LockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends what is left when the {@link Locks} are closed: waiting requests at once, and leases, after some time to be closed by their holders, as lost.
 * Releases nothing itself: work that was notified may still run.
 */
final class Shutdown {
    private static final Logger LOG = LoggerFactory.getLogger(Locks.class);

    private final LockStore store;
    private final LockClock clock;
    private final HolderTable holderTable;
    private final LossSignals losses;
    private final LeaseWatcher watcher;
    private final boolean endsTerms;

    /** {@code endsTerms}: whether leases that are not renewed end, too. */
    Shutdown(
            LockStore store,
            LockClock clock,
            HolderTable holderTable,
            LossSignals losses,
            LeaseWatcher watcher,
            boolean endsTerms) {
        this.store = store;
        this.clock = clock;
        this.holderTable = holderTable;
        this.losses = losses;
        this.watcher = watcher;
        this.endsTerms = endsTerms;
    }

    void run(Duration drain) {
        holderTable.storeLeases().stream().filter(StoreLease::isAsking).forEach(this::cancel);
        Drain.await(drain, clock, () -> !holderTable.isUsed(this::isToEnd));
        loseWhatIsHeld();
    }

    private void cancel(StoreLease storeLease) {
        try {
            storeLease.cancel();
            store.cancel(storeLease);
        } catch (RuntimeException e) {
            LOG.debug("A wait could not be cancelled; it ends with its deadline", e);
        }
    }

    private void loseWhatIsHeld() {
        List<LeaseHandle> losers = new ArrayList<>();
        List<StoreLease> lost = new ArrayList<>();
        for (StoreLease storeLease : holderTable.storeLeases()) {
            storeLease.underLock(() -> {
                if (isToEnd(storeLease)) {
                    losers.addAll(storeLease.lose(Loss.Reason.SHUT_DOWN));
                    lost.add(storeLease);
                }
            });
        }
        losses.signal(losers);
        lost.forEach(watcher::changed);
    }

    private boolean isToEnd(StoreLease storeLease) {
        return storeLease.isStanding()
                && (endsTerms || storeLease.leaseTerm().rule().renews());
    }

    /** Whether no work can count on the locks any more, and no request is about to end. */
    boolean isComplete() {
        return !holderTable.isUsed(storeLease -> storeLease.isAsking() || storeLease.isLost() || isToEnd(storeLease));
    }
}
