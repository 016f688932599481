package dev.lockstep.core.engine;

import dev.lockstep.core.LockClock;
import dev.lockstep.core.spi.LockStore;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Has the store release locks. What fails is tried again until the lease has expired in the store; it never throws. */
final class Releaser {
    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(1);

    private final LockStore store;
    private final LockClock clock;
    private final Executor threads;
    private final Reporter reporter;
    private Consumer<StoreLease> onChange = storeLease -> {};
    private Runnable onEnd = () -> {};

    Releaser(LockStore store, LockClock clock, Threads threads, Reporter reporter) {
        this.store = store;
        this.clock = clock;
        this.threads = threads.releases();
        this.reporter = reporter;
    }

    /** {@code action} is called with each lease whose release has to be tried again. */
    void onChange(Consumer<StoreLease> action) {
        onChange = action;
    }

    /** {@code action} is called after each release. */
    void onEnd(Runnable action) {
        onEnd = action;
    }

    /** Releases the locks of leases that nothing uses any more, in the background. */
    void releaseSoon(List<StoreLease> storeLeases) {
        for (StoreLease storeLease : storeLeases) {
            try {
                threads.execute(() -> release(storeLease));
            } catch (RuntimeException | Error e) { // no thread could be started
                failed(storeLease, e);
                storeLease.holder.stripe.releaseEnded();
            }
        }
    }

    /** Releases the locks of a lease that nothing uses any more. Returns whether they were still its own. */
    boolean release(StoreLease storeLease) {
        try {
            return store.release(storeLease.grant());
        } catch (RuntimeException | Error e) {
            failed(storeLease, e);
            return !storeLease.leaseTerm().hasExpired(clock);
        } finally {
            storeLease.holder.stripe.releaseEnded();
            onEnd.run();
        }
    }

    private void failed(StoreLease storeLease, Throwable error) {
        reporter.releaseFailed(storeLease, error);
        long now = clock.nanos();
        if (now - storeLease.leaseTerm().storeNanos() < 0) {
            storeLease.underLock(() -> storeLease.releaseAgain(now, FIRST_PAUSE, LONGEST_PAUSE));
            onChange.accept(storeLease);
        }
    }
}
