package dev.lockstep.core;

import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreGrant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after all grips of one {@link Locks}: renews them in batches, notices when one is over, and tells.
 *
 * <p>One thread watches the clocks and never calls a user's code, nor waits for the store: it asks only what a renewal depends on, which
 * the store knows. So nothing can make it late. Others talk to the store. The watcher sleeps until the earliest grip is due, and at most a second, because the wall clock may jump.
 */
final class LeaseKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);
    private static final long LONGEST_NAP = TimeUnit.SECONDS.toNanos(1);
    private static final long RELEASE_AGAIN = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long NEVER = Long.MAX_VALUE;

    private final LockStore store;
    private final LockClock clock;
    private final LeaseBook book;
    private final Threads threads;
    private final Reporter reporter;
    private final long origin;
    private final AtomicLong wakeAt = new AtomicLong(NEVER);
    private final AtomicBoolean started = new AtomicBoolean();
    private final Thread watcher = Threads.daemon("lockstep-watch", this::watch);
    private volatile boolean closed;

    LeaseKeeper(LockStore store, LockClock clock, LeaseBook book, Threads threads, Reporter reporter) {
        this.store = store;
        this.clock = clock;
        this.book = book;
        this.threads = threads;
        this.reporter = reporter;
        origin = clock.nanos();
    }

    /** Has a grip looked after from now on. */
    void keep(Grip grip) {
        wakeBy(grip.dueNanos());
    }

    private void wakeBy(long nanos) {
        long due = nanos - origin;
        if (due < wakeAt.get() && wakeAt.accumulateAndGet(due, Math::min) == due) {
            if (started.compareAndSet(false, true)) {
                watcher.start();
            }
            LockSupport.unpark(watcher);
        }
    }

    // ---- the watcher

    private void watch() {
        while (!closed) {
            try {
                wakeAt.set(NEVER);
                long next = round();
                long until = wakeAt.accumulateAndGet(next, Math::min);
                long nap = until == NEVER ? NEVER : until - now();
                if (nap > 0 && !closed) {
                    clock.park(this, nap);
                }
            } catch (Throwable e) { // a watcher that dies would let leases end unseen
                LOG.error("The lease watcher goes on after an error", e);
                clock.park(this, RELEASE_AGAIN);
            }
        }
    }

    private long now() {
        return clock.nanos() - origin;
    }

    /** What one look at all grips found to do. */
    private final class Round {
        final List<Grip> renew = new ArrayList<>();
        final List<Grip> release = new ArrayList<>();
        final List<HeldLease> losers = new ArrayList<>();
        long next = NEVER;

        void inspect(Grip grip) {
            long now = clock.nanos();
            if (grip.isLost()) {
                inspectLost(grip, now);
            } else if (grip.isStanding() && grip.leaseTerm().isOver(clock)) {
                losers.addAll(grip.lose(grip.reasonOfEnd()));
                at(grip.releaseAt());
            } else if (grip.isStanding()) {
                if (grip.beginRenewal(now)) {
                    renew.add(grip);
                }
                at(grip.dueNanos());
            }
        }

        private void inspectLost(Grip grip, long now) {
            if (now - grip.releaseAt() < 0) {
                at(grip.releaseAt());
            } else if (grip.detach()) {
                release.add(grip);
            }
        }

        private void at(long nanos) {
            next = Math.min(next, Math.min(nanos - origin, now() + LONGEST_NAP));
        }
    }

    private long round() {
        Round round = new Round();
        book.forEach(round::inspect);
        if (!round.renew.isEmpty()) {
            startRenewals(round.renew);
        }
        for (Grip grip : round.release) {
            threads.blocking().execute(() -> release(grip));
        }
        tellLost(round.losers);
        return round.next;
    }

    private void tellLost(List<HeldLease> losers) {
        for (HeldLease lease : losers) {
            Loss loss = lease.loss();
            if (loss != null) {
                reporter.lost(lease, loss);
                threads.losses().execute(() -> {
                    reporter.logLost(lease, loss);
                    lease.tellLoss();
                });
            }
        }
    }

    // ---- renewal

    /** A grip that the store has extended, so long after that was due. */
    private record Renewed(Grip grip, Duration lag) {}

    /** Those that depend on a part of the store have threads of their own: that part may be the one that doesn't answer. */
    private void startRenewals(List<Grip> grips) {
        try {
            Map<Object, List<Grip>> apart =
                    grips.stream().collect(Collectors.groupingBy(grip -> store.renewedWith(grip.grant())));
            apart.forEach((group, each) -> startRenewal(each, group == store ? threads.renewal() : threads.blocking()));
        } catch (RuntimeException | Error e) { // the store is closed
            failed(grips, e);
        }
    }

    private void startRenewal(List<Grip> grips, Executor thread) {
        try {
            thread.execute(() -> renewDue(grips));
        } catch (RuntimeException | Error e) { // no thread could be had
            failed(grips, e);
        }
    }

    private void renewDue(List<Grip> grips) {
        try {
            renew(grips, grip -> grip.leaseTerm().rule().nanos());
        } catch (RuntimeException | Error e) {
            failed(grips, e);
        }
    }

    private void failed(List<Grip> grips, Throwable error) {
        for (Grip grip : grips) {
            underPage(grip, () -> grip.renewalFailed(error, clock.nanos()));
            wakeBy(grip.dueNanos());
            grip.standing().forEach(lease -> reporter.renewalFailed(lease, error));
        }
    }

    /** Renews at once, on the caller's thread; those that are lost are told as such. */
    void renewNow(List<Grip> grips, Duration term) {
        renew(grips, grip -> term.toNanos());
    }

    private void renew(List<Grip> grips, ToLongFunction<Grip> term) {
        long nanos = clock.nanos();
        long millis = clock.millis();
        List<Renewal> renewals = grips.stream()
                .map(grip -> grip.renewal(term.applyAsLong(grip), nanos))
                .toList();
        Set<StoreGrant> ended = Collections.newSetFromMap(new IdentityHashMap<>());
        ended.addAll(store.renew(renewals));
        long confirmed = clock.nanos();
        List<Renewed> extended = new ArrayList<>();
        List<HeldLease> losers = new ArrayList<>();
        for (int i = 0; i < grips.size(); i++) {
            Grip grip = grips.get(i);
            Renewal renewal = renewals.get(i);
            underPage(grip, () -> {
                if (!grip.isStanding()) {
                    return;
                }
                if (ended.contains(renewal.grant())) {
                    losers.addAll(grip.lose(Loss.Reason.REFUSED));
                } else {
                    extended.add(new Renewed(grip, grip.lag(confirmed)));
                    grip.renewed(nanos, millis, renewal);
                }
            });
            wakeBy(grip.dueNanos());
        }
        tellLost(losers);
        tellRenewed(extended);
    }

    /** Asks the store at once whether a holder's grips still stand; those that don't are told as lost. */
    void confirm(Holder holder) {
        List<Grip> grips = new ArrayList<>();
        holder.page.lock();
        try {
            holder.grips().stream().filter(Grip::isStanding).forEach(grips::add);
        } finally {
            holder.page.unlock();
        }
        if (!grips.isEmpty()) {
            try {
                loseEnded(grips);
            } catch (RuntimeException e) {
                LOG.debug("Leases could not be confirmed; the next renewal will tell", e);
            }
        }
    }

    private void loseEnded(List<Grip> grips) {
        List<Renewal> renewals = grips.stream()
                .map(grip -> new Renewal(grip.grant(), Duration.ofMillis(1)))
                .toList();
        List<StoreGrant> ended = store.renew(renewals);
        List<HeldLease> losers = new ArrayList<>();
        for (Grip grip : grips) {
            underPage(grip, () -> {
                if (grip.isStanding() && ended.contains(grip.grant())) {
                    losers.addAll(grip.lose(Loss.Reason.REFUSED));
                }
            });
        }
        tellLost(losers);
    }

    private void tellRenewed(List<Renewed> extended) {
        for (Renewed each : extended) {
            if (each.grip.isStanding()) {
                each.grip.standing().forEach(lease -> reporter.renewed(lease, each.lag));
            }
        }
    }

    private static void underPage(Grip grip, Runnable action) {
        grip.holder.page.lock();
        try {
            action.run();
        } finally {
            grip.holder.page.unlock();
        }
    }

    // ---- release

    /** Tells the store to take back what a GONE grip had. Answers whether it was still the grip's own. */
    boolean release(Grip grip) {
        try {
            return store.release(grip.grant());
        } catch (RuntimeException | Error e) {
            reporter.releaseFailed(grip, e);
            return releaseLater(grip);
        }
    }

    private boolean releaseLater(Grip grip) {
        long now = clock.nanos();
        if (now - grip.leaseTerm().storeNanos() < 0) {
            underPage(grip, () -> grip.releaseAgainAt(now + RELEASE_AGAIN));
            wakeBy(now + RELEASE_AGAIN);
        }
        return !grip.leaseTerm().isOver(clock);
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(watcher);
    }
}
