package dev.lockstep.core.engine;

import dev.lockstep.core.LockClock;
import dev.lockstep.core.Locks;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the clocks for all leases of one {@link Locks}: starts renewals that are due, ends leases whose time has passed, and has their locks
 * released once they have expired in the store as well.
 *
 * <p>One thread does this. It calls neither a user's code nor the store, so nothing delays it, and it inspects only leases that are new or
 * due: a lease that is closed before the next round is never inspected. Renewals are rounded to a tick, so that leases acquired at different
 * moments are renewed together. The thread sleeps at most a second while there are leases, because the wall clock may jump; then all are
 * inspected.
 */
final class LeaseWatcher {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseWatcher.class);
    private static final long LONGEST_NAP = TimeUnit.SECONDS.toNanos(1);

    /** A closed lease is forgotten after this time at the latest, however long its term is. */
    private static final long LONGEST_FILED = TimeUnit.SECONDS.toNanos(10);

    /** While something is tried again. */
    private static final long SHORT_NAP = TimeUnit.MILLISECONDS.toNanos(50);

    private static final long JUMP_MILLIS = 20;

    private final LockClock clock;
    private final HolderTable holderTable;
    private final LossSignals losses;
    private final Renewer renewer;
    private final Releaser releaser;
    private final Reporter reporter;
    private final long origin;
    private final DueTimes due = new DueTimes();
    private final Queue<StoreLease> changed = new ConcurrentLinkedQueue<>();
    private final AtomicLong wakeAt = new AtomicLong(DueTimes.NEVER);
    private final ReentrantLock starting = new ReentrantLock();
    private volatile @Nullable Thread thread;
    private volatile boolean closed;
    private volatile @Nullable Ending ending;
    private long wallAhead;

    LeaseWatcher(
            LockClock clock,
            HolderTable holderTable,
            LossSignals losses,
            Renewer renewer,
            Releaser releaser,
            Reporter reporter) {
        this.clock = clock;
        this.holderTable = holderTable;
        this.losses = losses;
        this.renewer = renewer;
        this.releaser = releaser;
        this.reporter = reporter;
        origin = clock.nanos();
        wallAhead = wallAhead();
        renewer.onChange(this::changed);
        renewer.onCall(this::wakeBy);
        releaser.onChange(this::changed);
        releaser.onEnd(this::checkEnd);
    }

    /** Starts the thread, so that no lease is granted that nothing watches. */
    void ensureStarted() {
        if (thread == null) {
            start();
        }
    }

    private void start() {
        starting.lock();
        try {
            if (thread == null) {
                Thread started = Threads.daemon("lockstep-watch", this::watch);
                started.start();
                thread = started;
            }
        } finally {
            starting.unlock();
        }
    }

    /** Watches a lease that was just granted. */
    void watch(StoreLease storeLease) {
        if (storeLease.wasSeenAsking()) {
            changed.add(storeLease);
        }
        wakeBy(storeLease.leaseTerm().dueAboutNanos());
    }

    /** Inspects a lease again that may be due sooner than before. */
    void changed(StoreLease storeLease) {
        changed.add(storeLease);
        long now = clock.nanos();
        wakeBy(now + Math.min(storeLease.inspectAt(now) - now, LONGEST_FILED));
    }

    /** The time says when to wake up, not the unpark alone: a permit can be used up on the way. */
    private void wakeBy(long nanos) {
        long time = nanos - origin;
        if (time < wakeAt.get() && wakeAt.accumulateAndGet(time, Math::min) == time) {
            LockSupport.unpark(thread);
        }
    }

    // ---- the thread

    private void watch() {
        while (!closed) {
            try {
                endIfDone();
                long now = clock.nanos() - origin;
                long until = Math.min(Math.min(wakeAt.get(), due.first()), renewer.inspectCalls(clock.nanos(), origin));
                until = Math.min(until, losses.isBehind() ? now + SHORT_NAP : DueTimes.NEVER);
                losses.retry();
                boolean jumped = wallClockJumped();
                if (until <= now || jumped) {
                    round(jumped);
                } else {
                    boolean idle = !reporter.writeTrouble() && until == DueTimes.NEVER && ending == null;
                    clock.park(this, idle ? DueTimes.NEVER : Math.min(until - now, LONGEST_NAP));
                }
            } catch (Throwable e) { // without this thread, leases would end unnoticed
                LOG.error("The lease watcher continues after an error", e);
                clock.park(this, SHORT_NAP);
            }
        }
    }

    private long wallAhead() {
        return clock.millis() - TimeUnit.NANOSECONDS.toMillis(clock.nanos() - origin);
    }

    /** Whether the wall clock has moved ahead of the monotonic one, so that leases may end before their monotonic time. */
    private boolean wallClockJumped() {
        long before = wallAhead;
        long ahead = wallAhead();
        boolean jumped = ahead - before >= JUMP_MILLIS;
        if (jumped || ahead < before) {
            wallAhead = ahead;
        }
        return jumped;
    }

    private void round(boolean all) {
        wakeAt.set(DueTimes.NEVER);
        Round round = new Round();
        for (StoreLease storeLease = changed.poll(); storeLease != null; storeLease = changed.poll()) {
            round.inspect(storeLease);
        }
        holderTable.forEachUnseen(round::inspectLocked);
        (all ? due.takeAll() : due.takeDue(clock.nanos() - origin)).forEach(round::inspect);
        losses.signal(round.losers);
        renewer.renewSoon(round.renew);
        releaser.releaseSoon(round.release);
    }

    /** What one round has found to do. */
    private final class Round {
        final List<StoreLease> renew = new ArrayList<>();
        final List<StoreLease> release = new ArrayList<>();
        final List<LeaseHandle> losers = new ArrayList<>();

        void inspect(StoreLease storeLease) {
            try {
                storeLease.underLock(() -> inspectLocked(storeLease));
            } catch (RuntimeException | Error e) { // the others must be inspected all the same, and this one again
                LOG.error("A lease could not be inspected and is tried again", e);
                due.file(storeLease, clock.nanos() - origin + SHORT_NAP);
            }
        }

        void inspectLocked(StoreLease storeLease) {
            if (storeLease.isAsking() && storeLease.isSeenAsking()) {
                return;
            }
            long now = clock.nanos();
            if (storeLease.isStanding() && storeLease.leaseTerm().hasExpired(clock)) {
                losers.addAll(storeLease.lose(storeLease.reasonOfEnd()));
            } else if (storeLease.isStanding() && storeLease.beginRenewal(now)) {
                renew.add(storeLease);
            } else if (storeLease.isLost() && now - storeLease.releaseAt() >= 0 && storeLease.detach()) {
                release.add(storeLease);
            }
            if (storeLease.isStanding() || storeLease.isLost()) {
                due.file(storeLease, Math.min(storeLease.inspectAt(now) - origin, now - origin + LONGEST_FILED));
            }
        }
    }

    /** Runs an action and ends the thread as soon as a condition is met: at once if it is. */
    void closeWhen(BooleanSupplier done, Runnable action) {
        ending = new Ending(done, action);
        if (thread == null || done.getAsBoolean()) {
            end();
        }
    }

    /** Has the condition checked again. */
    private void checkEnd() {
        if (ending != null) {
            LockSupport.unpark(thread);
        }
    }

    private void endIfDone() {
        Ending at = ending;
        if (at != null && at.done.getAsBoolean()) {
            end();
        }
    }

    private void end() {
        Ending at = ending;
        if (at != null && at.begun.compareAndSet(false, true)) {
            try {
                at.action.run();
            } finally {
                closed = true;
                LockSupport.unpark(thread);
            }
        }
    }

    private record Ending(BooleanSupplier done, Runnable action, AtomicBoolean begun) {
        Ending(BooleanSupplier done, Runnable action) {
            this(done, action, new AtomicBoolean());
        }
    }
}
