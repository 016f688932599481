package dev.lockstep.cli.verify;

import dev.lockstep.cli.store.LockRows;
import dev.lockstep.cli.store.RestartableStore;
import dev.lockstep.cli.store.Scratch;
import dev.lockstep.cli.store.SwitchingPair;
import dev.lockstep.core.Attempt;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.LockTimeoutException;
import dev.lockstep.core.Locks;
import dev.lockstep.core.LocksBuilder;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.StoreTrait;
import dev.lockstep.core.spi.StoreWithClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;

/** The parties that compete for locks in the trial, and the words that the trials are written in. */
final class Stage implements AutoCloseable {
    /** A wait that no snapshot shows counts as one after this long. */
    private static final Duration UNSEEN_WAIT = Duration.ofSeconds(5);

    /** The term of leases that are to stay, also when this machine stands still: the longest that all stores grant. */
    static final Duration LASTING_TERM = Duration.ofSeconds(30);

    private static final int PARTIES = 3;

    private final Scratch scratch;
    private final Pace pace;
    private final Pulse pulse = new Pulse();
    private final List<Locks> parties = new CopyOnWriteArrayList<>();
    private final List<Locks> usual = new ArrayList<>();

    Stage(Scratch scratch, Pace pace) {
        this.scratch = scratch;
        this.pace = pace;
        for (int i = 0; i < PARTIES; i++) {
            usual.add(party(options -> options));
        }
    }

    Pace pace() {
        return pace;
    }

    Pulse pulse() {
        return pulse;
    }

    boolean has(StoreTrait trait) {
        return scratch.traits().contains(trait);
    }

    /** The rows that stand for keys; empty where the store needs none. */
    Optional<LockRows> rows() {
        return scratch.rows();
    }

    /** What to do when a deadlock report misses the other requests; empty where the store itself knows them all. */
    Optional<String> whyOthersAreHidden() {
        return scratch.whyOthersAreHidden();
    }

    /** The party with this number; they begin again after the last. */
    Locks party(int number) {
        return usual.get(number % PARTIES);
    }

    Locks first() {
        return party(0);
    }

    Locks second() {
        return party(1);
    }

    Locks third() {
        return party(2);
    }

    /** One more party, with options of its own. */
    Locks party(UnaryOperator<LocksBuilder> options) {
        Locks party = options.apply(scratch.party().defaultWait(pace.patience()).defaultTerm(LASTING_TERM))
                .build();
        parties.add(party);
        return party;
    }

    /** One more party, which reaches its store by this line. */
    Locks party(Line line) {
        return partyAround(line::to);
    }

    /** One more party, whose clock is another than its store's. */
    Locks party(LockClock clock) {
        return partyAround(store -> new StoreWithClock(store, clock));
    }

    private Locks partyAround(UnaryOperator<LockStore> around) {
        Locks party = scratch.party(around)
                .defaultWait(pace.patience())
                .defaultTerm(LASTING_TERM)
                .build();
        parties.add(party);
        return party;
    }

    /** A party of a pair that may switch, which reaches the store of the two by this line. */
    Locks pairedParty(Line line) throws Mismatch {
        SwitchingPair pair = scratch.pair().orElseThrow(() -> Mismatch.notFree("the parties' store is no pair"));
        Locks party = Locks.builder(pair.store(line::to, pace.term()))
                .defaultTerm(pace.term())
                .defaultWait(pace.patience())
                .build();
        parties.add(party);
        return party;
    }

    /** A store that can be made to lose its memory, whose longest lease is the pace's term; empty where there is none. */
    Optional<RestartableStore> restartable() {
        return scratch.restartable(pace.term());
    }

    /** A party of such a store. */
    Locks party(RestartableStore store) {
        Locks party = Locks.builder(store.store())
                .defaultTerm(pace.term())
                .defaultWait(pace.patience())
                .build();
        parties.add(party);
        return party;
    }

    /** The lease that must be acquired without waiting. */
    Lease take(Locks party, LockRequest request) throws Mismatch {
        pulse.beat();
        Attempt attempt = party.tryAcquire(request);
        if (attempt instanceof Granted granted) {
            return granted.lease();
        }
        throw Mismatch.notFree(request + " was refused: " + attempt);
    }

    /** The same, released at once. */
    void takeBriefly(Locks party, LockRequest request) throws Mismatch {
        take(party, request).close();
    }

    /** Requests, without waiting, what must not be granted now. */
    void refused(Locks party, LockRequest request, Lease because) throws Mismatch {
        if (isGranted(party, request)) {
            throw Mismatch.notExcluded(request + " was granted to one party while another held " + because.keys());
        }
    }

    /** Whether it is available now; if so, it is released at once. */
    boolean isGranted(Locks party, LockRequest request) {
        pulse.beat();
        if (party.tryAcquire(request) instanceof Granted granted) {
            granted.lease().close();
            return true;
        }
        return false;
    }

    /** Asks on a thread with this name, and waits until the request waits. */
    Work<Lease> startWaiting(String name, Locks party, LockRequest request) throws Exception {
        Work<Lease> work = Work.start(name, () -> party.acquire(request));
        long start = System.nanoTime();
        while (!work.isDone() && System.nanoTime() - start < UNSEEN_WAIT.toNanos() && !isSeenWaiting(party, name)) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        pulse.beat();
        if (work.isDone()) {
            requireInVain(work, request);
        }
        return work;
    }

    /** On a slow machine a short wait may have ended before it was seen. */
    private void requireInVain(Work<Lease> work, LockRequest request) throws Exception {
        try {
            work.result(pace.patience()).close();
        } catch (LockTimeoutException e) {
            return;
        }
        throw Mismatch.notExcluded(request + " was granted to '" + work.name() + "' and should have waited");
    }

    /**
     * Whether a request that waits for something else holds this, so that a party is refused. A request that no snapshot shows may not have
     * been sent yet: then it has half of its wait to acquire this.
     */
    boolean isHeldBy(Work<Lease> waiting, Locks waiter, Locks party, LockRequest request) throws InterruptedException {
        long start = System.nanoTime();
        boolean certain;
        do {
            certain = isSeenWaiting(waiter, waiting.name())
                    || System.nanoTime() - start > pace.patience().toNanos() / 2;
            if (!isGranted(party, request)) {
                return true;
            }
            TimeUnit.MILLISECONDS.sleep(1);
        } while (!certain);
        return false;
    }

    private static boolean isSeenWaiting(Locks party, String owner) {
        return party.snapshot().waiters().stream()
                .anyMatch(waiter -> waiter.owner().equals(owner));
    }

    /** The lease that a request which waited must have now; answers how long that took. */
    Duration served(Work<Lease> work) throws Exception {
        long start = System.nanoTime();
        try {
            work.result(pace.patience()).close();
        } catch (TimeoutException | LockTimeoutException e) {
            throw Mismatch.notFree("'" + work.name() + "' still waited " + Figures.of(pace.patience())
                    + " after what it waited for was released");
        }
        pulse.beat();
        return Duration.ofNanos(System.nanoTime() - start);
    }

    @Override
    public void close() {
        parties.forEach(Locks::close);
    }
}
