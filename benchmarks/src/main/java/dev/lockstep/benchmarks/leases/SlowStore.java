package dev.lockstep.benchmarks.leases;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreAround;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Locks in memory whose calls take as long as those to a server, in groups of which some can be dead, or all unavailable. */
final class SlowStore extends StoreAround {
    private static final int GROUP_OF_THE_RELEASED = Integer.MAX_VALUE;

    private final MemoryStore memory;
    private final Duration perCall;
    private final int groups;
    private final Map<StoreGrant, Integer> groupOf = new ConcurrentHashMap<>();
    private final AtomicLong calls = new AtomicLong();
    private final AtomicLong renewals = new AtomicLong();
    private volatile int dead;
    private volatile boolean unavailable;

    SlowStore(MemoryStore memory, Duration perCall, int groups) {
        super(memory);
        this.memory = memory;
        this.perCall = perCall;
        this.groups = groups;
    }

    /** Lets the first of the groups fail after a time without a response. */
    void kill(int deadGroups) {
        dead = deadGroups;
    }

    void makeUnavailable() {
        unavailable = true;
    }

    double renewalsPerCall() {
        return renewals.get() / (double) Math.max(1, calls.get());
    }

    @Override
    public StoreAnswer acquire(StoreRequest request) throws InterruptedException {
        return inGroup(request, memory.acquire(request));
    }

    @Override
    public CompletableFuture<StoreAnswer> acquireAsync(StoreRequest request, Executor blocking) {
        return memory.acquireAsync(request, blocking).thenApply(answer -> inGroup(request, answer));
    }

    private StoreAnswer inGroup(StoreRequest request, StoreAnswer answer) {
        if (groups > 1 && answer instanceof StoreGrant grant) {
            groupOf.put(grant, Math.floorMod(request.plan().key(0).hashCode(), groups));
        }
        return answer;
    }

    @Override
    public Object renewedWith(StoreGrant grant) {
        return groups > 1 ? group(grant) : this;
    }

    private int group(StoreGrant grant) {
        return groupOf.getOrDefault(grant, GROUP_OF_THE_RELEASED);
    }

    @Override
    public List<StoreGrant> renew(List<Renewal> asked) {
        if (groups > 1 && group(asked.get(0).grant()) < dead) {
            pause(Duration.ofSeconds(5));
            throw unavailable();
        }
        respond();
        calls.incrementAndGet();
        renewals.addAndGet(asked.size());
        return memory.renew(asked);
    }

    @Override
    public boolean release(StoreGrant grant) {
        respond();
        groupOf.remove(grant);
        return memory.release(grant);
    }

    private void respond() {
        if (unavailable) {
            pause(Duration.ofSeconds(3));
            throw unavailable();
        }
        pause(perCall);
    }

    private static LockException unavailable() {
        return new LockException(ErrorCode.STORE_UNAVAILABLE, "The store does not respond.", List.of(), null);
    }

    private static void pause(Duration time) {
        try {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
