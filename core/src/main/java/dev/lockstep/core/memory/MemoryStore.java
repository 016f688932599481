package dev.lockstep.core.memory;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.spi.EpochRegister;
import dev.lockstep.core.spi.KindRegistry;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.SharedNumbers;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreDeadlock;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import dev.lockstep.core.spi.StoreTrait;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Keeps locks in this process: exact keys, five modes, first come first served, entries freed when unused. Leases expire here
 * as on any other store, and a cycle of waits fails its youngest request with a report.
 */
public final class MemoryStore implements LockStore {
    /** How long a wait continues before it looks for a cycle again. */
    private static final long LOOK_AGAIN = TimeUnit.SECONDS.toNanos(1);

    /** Most waits for a busy lock have ended sooner. They are spared the search for cycles and the record of the call site. */
    private static final long FIRST_NAP = TimeUnit.MILLISECONDS.toNanos(2);

    private final LockClock clock;
    private final StoreTime time;
    private final KindRegistry kinds = new KindRegistry();
    private final LockTable table;
    private final WaitGraph graph;
    private final LockInspector inspector;
    private final AsyncWaits asyncWaits;
    private final Map<String, EpochRegister> epochs = new ConcurrentHashMap<>();
    private final MemoryNumbers numbers = new MemoryNumbers();
    private volatile boolean closed;

    private MemoryStore(LockClock clock) {
        this.clock = clock;
        time = new StoreTime(clock);
        inspector = new LockInspector(time);
        table = new LockTable(time, inspector, this::grantAfterWait, this::breakCycles);
        graph = new WaitGraph(table, time::wallTime);
        asyncWaits = new AsyncWaits(clock, this::tend, graph::remove);
    }

    /** An empty store. */
    public static MemoryStore create() {
        return on(LockClock.system());
    }

    /** An empty store that goes by this clock. */
    public static MemoryStore on(LockClock clock) {
        return new MemoryStore(clock);
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public LockClock clock() {
        return clock;
    }

    @Override
    public Set<StoreTrait> traits() {
        return Set.of();
    }

    @Override
    public void declare(List<KindDefinition> definitions) {
        kinds.declare(definitions);
    }

    @Override
    public StoreAnswer acquire(StoreRequest request) throws InterruptedException {
        if (request.waits() && Thread.interrupted()) {
            throw new InterruptedException("Interrupted before locking " + request.plan());
        }
        requireOpen();
        Claim claim = new Claim(request, startOf(request));
        return switch (advance(claim)) {
            case COMPLETE -> granted(claim);
            case REFUSED -> claim.answer();
            case QUEUED -> await(claim);
        };
    }

    private LockTable.Step advance(Claim claim) {
        try {
            return table.advance(claim);
        } catch (RuntimeException | Error e) {
            table.releaseLocks(claim);
            throw e;
        }
    }

    private long startOf(StoreRequest request) {
        return request.clock() == clock ? time.since(request.startNanos()) : time.now();
    }

    private StoreAnswer await(Claim claim) throws InterruptedException {
        try {
            LockSupport.parkNanos(
                    claim, Math.min(FIRST_NAP, claim.request.deadline().remainingNanos()));
            if (!claim.isAnswered()) {
                awaitLonger(claim);
            }
            claim.throwFailure();
            return unlessClosed(claim.answer());
        } catch (InterruptedException | RuntimeException | Error e) {
            abandon(claim);
            throw e;
        }
    }

    private void awaitLonger(Claim claim) throws InterruptedException {
        claim.request.contended(); // first, so that a report of a cycle through this claim has its call site
        graph.add(claim);
        try {
            for (long pause = tend(claim); !claim.isAnswered(); pause = tend(claim)) {
                clock.park(claim, pause);
                if (Thread.interrupted()) {
                    throw new InterruptedException("Interrupted while waiting for " + claim.request.plan());
                }
            }
        } finally {
            graph.remove(claim);
        }
    }

    private void abandon(Claim claim) {
        if (!table.withdraw(claim, this::busy) && claim.answer() instanceof StoreGrant grant) {
            release(grant);
        }
    }

    @Override
    public CompletableFuture<StoreAnswer> acquireAsync(StoreRequest request, Executor blocking) {
        requireOpen();
        AsyncAnswer answer =
                new AsyncAnswer(request, startOf(request), this::abandon, this::unlessClosed, this::releaseLate);
        Claim claim = answer.claim;
        LockTable.Step step = advance(claim);
        if (step == LockTable.Step.COMPLETE) {
            claim.answer(granted(claim));
        } else if (step == LockTable.Step.QUEUED) {
            request.contended();
            graph.add(claim);
            addToAsyncWaits(claim);
        }
        return answer;
    }

    private void addToAsyncWaits(Claim claim) {
        try {
            asyncWaits.add(claim);
        } catch (RuntimeException | Error e) { // no thread could be started
            abandon(claim);
            graph.remove(claim);
            throw e;
        }
    }

    @Override
    public void cancel(StoreRequest request) {
        graph.find(request).ifPresent(claim -> table.withdraw(claim, this::busy));
    }

    private void releaseLate(StoreAnswer answer) {
        if (answer instanceof StoreGrant grant) {
            release(grant);
        }
    }

    /** Looks after a waiting claim: its deadline, leases in its way that have ended, cycles. Answers until when it can be left. */
    private long tend(Claim claim) {
        long left = claim.request.deadline().remainingNanos();
        if (left <= 0 || closed || claim.request.isCancelled()) {
            table.withdraw(claim, this::busy);
            return 0;
        }
        breakCycles(claim);
        long untilExpiry = table.expireBlockers(claim) - time.now();
        return Math.max(1, Math.min(Math.min(left, untilExpiry), LOOK_AGAIN));
    }

    private StoreAnswer busy(EntryHold hold) {
        return inspector.busy(hold.entry, hold.mode, hold);
    }

    private void breakCycles(Claim claim) {
        for (Optional<WaitGraph.Cycle> cycle = graph.findCycle(claim);
                cycle.isPresent();
                cycle = graph.findCycle(claim)) {
            StoreDeadlock deadlock = new StoreDeadlock(cycle.get().report());
            table.withdraw(cycle.get().youngest(), hold -> deadlock);
        }
    }

    private void grantAfterWait(Claim claim) {
        claim.request.markStart();
        table.grant(claim, startOf(claim.request));
        claim.granted(claim);
    }

    private Claim granted(Claim claim) {
        if (!claim.isGranted()) {
            table.grant(claim, claim.since());
        }
        return claim;
    }

    @Override
    public List<StoreGrant> renew(List<Renewal> renewals) {
        long now = time.now();
        List<StoreGrant> ended = new ArrayList<>();
        for (Renewal renewal : renewals) {
            if (!table.prolong((Claim) renewal.grant(), now, renewal.term().toNanos())) {
                ended.add(renewal.grant());
            }
        }
        return ended;
    }

    @Override
    public boolean canDowngrade() {
        return true;
    }

    @Override
    public void downgrade(StoreGrant grant) {
        table.share((Claim) grant);
    }

    @Override
    public boolean release(StoreGrant grant) {
        return table.release((Claim) grant);
    }

    /**
     * Releases all locks of a grant but the first ones. For stores that let requests queue here before they go elsewhere, and find there
     * that they have to wait: a request that waits must not hold what comes later.
     */
    public void keepFirst(StoreGrant grant, int count) {
        table.releaseLocksAfter((Claim) grant, count);
    }

    @Override
    public LockSnapshot snapshot() {
        return inspector.snapshot(table);
    }

    @Override
    public Optional<EpochRegister> epochs(String name) {
        return Optional.of(epochs.computeIfAbsent(name, unused -> new MemoryEpochs(clock)));
    }

    @Override
    public Optional<SharedNumbers> numbers() {
        return Optional.of(numbers);
    }

    /** How many keys are held or waited for now. */
    public int size() {
        return table.size();
    }

    private void requireOpen() {
        if (closed) {
            throw new LockException(ErrorCode.CLOSED, "The in-memory store is closed.", List.of(), null);
        }
    }

    private StoreAnswer unlessClosed(StoreAnswer answer) {
        if (closed && !(answer instanceof StoreGrant)) {
            requireOpen();
        }
        return answer;
    }

    @Override
    public void close() {
        closed = true;
        asyncWaits.close();
        graph.waiting().forEach(claim -> table.withdraw(claim, this::busy));
    }
}
