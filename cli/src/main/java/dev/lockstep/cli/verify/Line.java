package dev.lockstep.cli.verify;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreAround;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** How one party reaches a store. It counts calls, and can be cut, without anything being done to the store. */
final class Line {
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicLong longestSilence = new AtomicLong();
    private volatile long lastPing;
    private volatile boolean cut;

    void cut() {
        lastPing = System.nanoTime();
        longestSilence.set(0);
        cut = true;
    }

    void mend() {
        noteSilence();
        cut = false;
    }

    /** The longest time without a ping while it was cut: more than usual means that the party stood still. */
    Duration longestSilence() {
        return Duration.ofNanos(longestSilence.get());
    }

    private void noteSilence() {
        if (cut) {
            long now = System.nanoTime();
            longestSilence.accumulateAndGet(now - lastPing, Math::max);
            lastPing = now;
        }
    }

    /** How often the party called the store, calls that were cut off included. */
    int calls() {
        return calls.get();
    }

    private void pass() {
        calls.incrementAndGet();
        if (cut) {
            throw new LockException(ErrorCode.STORE_UNAVAILABLE, "The trial cut this party off.", List.of(), null);
        }
    }

    /** The store at its other end. */
    LockStore to(LockStore store) {
        return new FarStore(store);
    }

    private final class FarStore extends StoreAround {
        private final LockStore store;

        private FarStore(LockStore store) {
            super(store);
            this.store = store;
        }

        @Override
        public void declare(List<KindDefinition> kinds) {
            pass();
            store.declare(kinds);
        }

        @Override
        public StoreAnswer acquire(StoreRequest request) throws InterruptedException {
            pass();
            return store.acquire(request);
        }

        @Override
        public List<StoreGrant> renew(List<Renewal> renewals) {
            pass();
            return store.renew(renewals);
        }

        @Override
        public void downgrade(StoreGrant grant) {
            pass();
            store.downgrade(grant);
        }

        @Override
        public boolean release(StoreGrant grant) {
            pass();
            return store.release(grant);
        }

        @Override
        public LockSnapshot snapshot() {
            pass();
            return store.snapshot();
        }

        @Override
        public void ping() {
            noteSilence();
            pass();
            store.ping();
        }

        @Override
        public Optional<String> identity() {
            pass();
            return store.identity();
        }
    }
}
