package dev.lockstep.testkit;

import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreAround;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * A store around another one that fails, or breaks its contract, when asked to. Without faults it does what the other one does.
 */
public final class FaultyStore extends StoreAround {
    /** What a store is called for. */
    public enum Call {
        /** Taking locks, waiting or not. */
        ACQUIRE,
        /** Extending leases, any number in one call. */
        RENEW,
        /** Making exclusive locks shared. */
        DOWNGRADE,
        /** Releasing locks. */
        RELEASE,
        /** Being asked whether it works. */
        PING
    }

    private final BreachedStore inner;
    private final Map<Call, CallFaults> faults = new EnumMap<>(Call.class);
    private final Map<UUID, StoreGrant> granted = new ConcurrentHashMap<>();

    private FaultyStore(BreachedStore inner) {
        super(inner);
        this.inner = inner;
        for (Call call : Call.values()) {
            faults.put(call, new CallFaults(call));
        }
    }

    /** A store around this one, without faults so far. */
    public static FaultyStore around(LockStore store) {
        return new FaultyStore(new BreachedStore(store));
    }

    // ---- the faults

    /** Fails the next calls before they reach the store. */
    public void failNext(Call call, int count) {
        of(call).failNext(count);
    }

    /** Carries the next calls out and then fails them, as when an answer is lost on the way. */
    public void loseAnswers(Call call, int count) {
        of(call).loseAnswers(count);
    }

    /** Makes the next call hang before it reaches the store, until it is released. */
    public HungCall hangNext(Call call) {
        return of(call).hangBefore();
    }

    /** Carries the next call out and keeps its answer back until it is released. */
    public HungCall hangNextAnswer(Call call) {
        return of(call).hangAfter();
    }

    /** Makes every call take this much longer, in real time; zero for none. */
    public void delay(Call call, Duration time) {
        of(call).delay(time);
    }

    /** Forgets a lease, as a store does that lost its memory: the locks are free, and the lease is unknown. */
    public void forget(UUID leaseId) {
        StoreGrant grant = granted.remove(leaseId);
        if (grant != null) {
            inner.release(grant);
        }
    }

    /** Forgets every lease. */
    public void forgetAll() {
        List.copyOf(granted.keySet()).forEach(this::forget);
    }

    /** Breaks the contract from now on, without an error: to see whether a test, or a checker, notices. */
    public void commit(Breach breach) {
        inner.add(breach);
    }

    /** Ends all faults and breaches, and lets hung calls go. */
    public void heal() {
        inner.heal();
        faults.values().forEach(CallFaults::heal);
    }

    /** How often this was called, failed calls included. */
    public int calls(Call call) {
        return of(call).calls();
    }

    private CallFaults of(Call call) {
        CallFaults found = faults.get(call);
        if (found == null) {
            throw new IllegalStateException("No faults for " + call);
        }
        return found;
    }

    // ---- the store

    @Override
    public StoreAnswer acquire(StoreRequest request) throws InterruptedException {
        CallFaults.Passage passage = of(Call.ACQUIRE).enter();
        StoreAnswer answer = inner.acquire(request);
        if (answer instanceof StoreGrant grant) {
            granted.put(request.leaseId(), grant);
        }
        passage.leave();
        return answer;
    }

    @Override
    public List<StoreGrant> renew(List<Renewal> renewals) {
        return through(Call.RENEW, () -> inner.renew(renewals));
    }

    @Override
    public void downgrade(StoreGrant grant) {
        through(Call.DOWNGRADE, () -> {
            inner.downgrade(grant);
            return true;
        });
    }

    @Override
    public boolean release(StoreGrant grant) {
        return through(Call.RELEASE, () -> {
            granted.values().remove(grant);
            return inner.release(grant);
        });
    }

    @Override
    public void ping() {
        through(Call.PING, () -> {
            inner.ping();
            return true;
        });
    }

    private <T> T through(Call call, Supplier<T> action) {
        try {
            CallFaults.Passage passage = of(call).enter();
            T result = action.get();
            passage.leave();
            return result;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CallFaults.unavailable(call + " was interrupted in a fault", e);
        }
    }

    @Override
    public void close() {
        heal();
        inner.close();
    }
}
