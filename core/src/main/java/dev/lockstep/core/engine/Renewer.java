package dev.lockstep.core.engine;

import dev.lockstep.core.LockClock;
import dev.lockstep.core.Loss;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreGrant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the store to extend leases, and records the outcome. */
final class Renewer implements RenewalCalls.Store {
    private static final Logger LOG = LoggerFactory.getLogger(Renewer.class);

    private final LockStore store;
    private final LockClock clock;
    private final LossSignals losses;
    private final Reporter reporter;
    private final RenewalCalls calls;
    private Consumer<StoreLease> onChange = storeLease -> {};

    Renewer(LockStore store, LockClock clock, Threads threads, LossSignals losses, Reporter reporter) {
        this.store = store;
        this.clock = clock;
        this.losses = losses;
        this.reporter = reporter;
        calls = new RenewalCalls(clock, threads.renewal(), this);
    }

    /** {@code action} is called with the time by which calls have to be inspected. */
    void onCall(LongConsumer action) {
        calls.onCall(action);
    }

    /** {@code action} is called with each lease that is due at another time than before. */
    void onChange(Consumer<StoreLease> action) {
        onChange = action;
    }

    // ---- in the background

    /** Starts the renewal of leases, without waiting for it. */
    void renewSoon(List<StoreLease> storeLeases) {
        for (StoreLease storeLease : storeLeases) {
            try {
                calls.add(storeLease, store.renewedWith(storeLease.grant()));
            } catch (RuntimeException | Error e) { // the store is closed
                failed(List.of(storeLease), e);
            }
        }
        calls.start();
    }

    /** Has the leases of calls that take long renewed in smaller calls. Returns when to call this again, in nanoseconds since {@code origin}. */
    long inspectCalls(long now, long origin) {
        return calls.inspect(now, origin);
    }

    @Override
    public boolean renew(List<StoreLease> storeLeases) {
        List<StoreLease> left =
                storeLeases.stream().filter(StoreLease::isBeingRenewed).toList();
        long start = clock.nanos();
        try {
            if (!left.isEmpty()) {
                renew(left, storeLease -> storeLease.leaseTerm().rule().nanos());
            }
            return true;
        } catch (RuntimeException | Error e) {
            failed(left, start, e);
            return false;
        }
    }

    @Override
    public void failed(List<StoreLease> storeLeases, Throwable error) {
        failed(storeLeases, clock.nanos(), error);
    }

    /** Records the failure of a call that started at this time, for leases that no other call has renewed since. */
    private void failed(List<StoreLease> storeLeases, long start, Throwable error) {
        List<StoreLease> failed = new ArrayList<>();
        for (StoreLease storeLease : storeLeases) {
            storeLease.underLock(() -> {
                if (storeLease.isRenewedSince(start)) {
                    storeLease.renewalFailed(error, clock.nanos());
                    failed.add(storeLease);
                }
            });
        }
        for (StoreLease storeLease : failed) {
            onChange.accept(storeLease);
            reporter.renewalFailed(storeLease, error);
        }
    }

    /** A lease that the store has extended, this long after it was due. */
    private record Renewed(StoreLease storeLease, Duration lag) {}

    // ---- on the caller's thread

    /** Renews now; those that the store no longer knows are lost. */
    void renewNow(List<StoreLease> storeLeases, Duration term) {
        renew(storeLeases, storeLease -> term.toNanos());
        storeLeases.forEach(onChange);
    }

    private void renew(List<StoreLease> storeLeases, ToLongFunction<StoreLease> term) {
        long nanos = clock.nanos();
        long millis = clock.millis();
        List<Renewal> renewals = new ArrayList<>(storeLeases.size());
        for (StoreLease storeLease : storeLeases) {
            renewals.add(storeLease.renewalFor(term.applyAsLong(storeLease), nanos));
        }
        Set<StoreGrant> ended = identities(store.renew(renewals));
        long confirmed = clock.nanos();
        List<LeaseHandle> losers = new ArrayList<>();
        List<StoreLease> changed = new ArrayList<>(0);
        List<Renewed> extended = new ArrayList<>(storeLeases.size());
        for (int i = 0; i < storeLeases.size(); i++) {
            StoreLease storeLease = storeLeases.get(i);
            Renewal renewal = renewals.get(i);
            Duration lag = storeLease.lag(confirmed);
            storeLease.underLock(() -> {
                if (!storeLease.isStanding()) {
                    return;
                }
                if (ended.contains(renewal.grant())) {
                    losers.addAll(storeLease.lose(Loss.Reason.REFUSED));
                    changed.add(storeLease);
                } else {
                    boolean late = storeLease.isInspectedBefore(confirmed);
                    storeLease.renewed(nanos, millis, renewal);
                    extended.add(new Renewed(storeLease, lag));
                    if (late) { // the watcher has filed it under the end of its former term
                        changed.add(storeLease);
                    }
                }
            });
        }
        losses.signal(losers);
        changed.forEach(onChange);
        extended.forEach(each -> reporter.renewed(each.storeLease, each.lag));
    }

    private static Set<StoreGrant> identities(List<StoreGrant> grants) {
        if (grants.isEmpty()) {
            return Set.of();
        }
        Set<StoreGrant> set = Collections.newSetFromMap(new IdentityHashMap<>());
        set.addAll(grants);
        return set;
    }

    /** Asks the store now whether the leases of a holder, its parents and their children are still held; those that aren't are lost. */
    void confirm(Holder holder) {
        List<StoreLease> storeLeases = new ArrayList<>();
        holder.stripe.lock();
        try {
            holder.stripe.family(holder.id).stream()
                    .filter(StoreLease::isStanding)
                    .forEach(storeLeases::add);
        } finally {
            holder.stripe.unlock();
        }
        if (!storeLeases.isEmpty()) {
            try {
                renew(storeLeases, storeLease -> 1);
            } catch (RuntimeException e) {
                LOG.debug("Leases could not be confirmed; the next renewal will show", e);
            }
        }
    }
}
