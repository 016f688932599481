package dev.lockstep.testkit;

import dev.lockstep.core.CallSites;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.core.LocksBuilder;
import dev.lockstep.core.WaitingLock;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.StoreWithClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What one test of the contract works with: the parties that compete for locks, and the stores they use. */
final class ContractStage implements AutoCloseable {
    /** How long requests of the contract wait unless they say otherwise: forever, as seen from a test. */
    private static final Duration WAIT = Duration.ofMinutes(4);

    /** How long leases last unless a request says otherwise: longer than a machine stands still. */
    static final Duration TERM = Duration.ofSeconds(25);

    private final LockStore store;
    private final UnaryOperator<LockStore> makeSecond;
    private final List<Locks> parties = new CopyOnWriteArrayList<>();
    private final Locks first;
    private @Nullable LockStore secondStore;
    private @Nullable Locks second;
    private boolean storeClosed;

    ContractStage(LockStore store, UnaryOperator<LockStore> makeSecond) {
        this.store = store;
        this.makeSecond = makeSecond;
        first = party(options -> options);
    }

    LockStore store() {
        return store;
    }

    /** What the parties' wall clock shows. */
    Instant now() {
        return Instant.ofEpochMilli(store.clock().millis());
    }

    Locks first() {
        return first;
    }

    Locks second() {
        if (second == null) {
            second = secondParty(options -> options);
        }
        return second;
    }

    /** Another party that uses the first one's store. */
    Locks party(UnaryOperator<LocksBuilder> options) {
        return build(store, options);
    }

    /** A party whose own clocks stand still from now on, so that only the store can know that a lease has expired. */
    Locks sleepingParty() {
        return build(new StoreWithClock(store, new FrozenClock(store.clock())), options -> options);
    }

    /** Another party that uses the second one's store. */
    Locks secondParty(UnaryOperator<LocksBuilder> options) {
        if (secondStore == null) {
            secondStore = makeSecond.apply(store);
        }
        return build(secondStore, options);
    }

    private Locks build(LockStore on, UnaryOperator<LocksBuilder> options) {
        LocksBuilder builder = Locks.builder(on)
                .leaveStoreOpen()
                .callSites(CallSites.ALWAYS)
                .defaultWait(WAIT)
                .defaultTerm(TERM);
        Locks party = options.apply(builder).build();
        parties.add(party);
        return party;
    }

    /** Every waiting request that some party can see. */
    List<WaitingLock> waiters() {
        return parties.stream()
                .flatMap(party -> party.snapshot().waiters().stream())
                .toList();
    }

    private Set<String> waitingOwners() {
        return waiters().stream().map(WaitingLock::owner).collect(Collectors.toSet());
    }

    /** Waits until it waits for a lock, or has ended: for a wait so short that it may have ended before it is seen. */
    void awaitWaitingOrDone(Task<?> task) {
        Eventually.await(
                () -> task.isDone() || waitingOwners().contains(task.name()), () -> task.name() + " should wait");
    }

    /** Waits until all of them wait for a lock. */
    void awaitWaiting(Task<?>... tasks) {
        List<String> names = List.of(tasks).stream().map(Task::name).toList();
        Eventually.await(
                () -> waitingOwners().containsAll(names),
                () -> names + " should wait, but only these do: " + waiters());
    }

    void awaitNoWaiters() {
        Eventually.await(() -> waiters().isEmpty(), () -> "still waiting: " + waiters());
    }

    /** Whether the first party's store shows no holder of this key. */
    boolean isFree(LockKey key) {
        return first.snapshot().holders().stream().noneMatch(held -> held.key().equals(key));
    }

    /** Closes the first party's store under it. */
    void closeStore() {
        storeClosed = true;
        store.close();
    }

    /** Closes the parties, which must leave nothing in the store, and then the store. */
    @Override
    public void close() {
        List<Runnable> ends = new ArrayList<>();
        parties.forEach(party -> ends.add(party::close));
        if (!storeClosed) {
            ends.add(this::checkNothingLeft);
        }
        if (secondStore != null && secondStore != store) {
            ends.add(secondStore::close);
        }
        ends.add(store::close);
        runAll(ends);
    }

    private void checkNothingLeft() {
        Eventually.await(
                () -> store.snapshot().isEmpty(), () -> "after every party was closed there is " + store.snapshot());
    }

    private static void runAll(List<Runnable> actions) {
        @Nullable Throwable failure = null;
        for (Runnable action : actions) {
            try {
                action.run();
            } catch (RuntimeException | Error e) {
                if (failure != null) {
                    e.addSuppressed(failure);
                }
                failure = e;
            }
        }
        if (failure != null) {
            throw new AssertionError("The stage could not be cleared: " + failure.getMessage(), failure);
        }
    }
}
