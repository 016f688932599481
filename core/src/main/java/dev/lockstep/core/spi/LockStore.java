package dev.lockstep.core.spi;

import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockEvent;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.Locks;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Takes sorted lists of locks, all or nothing, for as long as a lease lasts. A store knows nothing of ancestors, ranks or
 * nesting.
 *
 * <p>While a request waits, it holds the locks that come earlier in its plan and queues at the first one it can't have. It
 * never queues at, or reserves, a later one: that would deadlock legal nested requests.
 *
 * <p>Contention is an answer. A store that can't be reached or fails throws a {@link dev.lockstep.core.LockException}.
 */
public interface LockStore extends AutoCloseable {
    /** The kind of store, as leases and events name it, such as {@code memory}. */
    String name();

    /** In which ways this store does less than the best one can; empty if in none. */
    Set<StoreTrait> traits();

    /** The clocks of this process that the store goes by; those who hold its leases should go by the same. */
    default LockClock clock() {
        return LockClock.system();
    }

    /** Records kinds, or refuses them when they were declared differently before. */
    void declare(List<KindDefinition> kinds);

    /** Takes all locks of the plan; blocks until then, or until the request's deadline. */
    StoreAnswer acquire(StoreRequest request) throws InterruptedException;

    /**
     * The same without blocking the caller. Cancelling the future takes the request out of every queue; what it may have
     * been granted meanwhile is given back. The default uses a thread of {@code blocking} for the time of the wait.
     */
    default CompletableFuture<StoreAnswer> acquireAsync(StoreRequest request, Executor blocking) {
        return BlockingAcquire.start(this, request, blocking);
    }

    /**
     * Ends a wait that is under way, as if its time were over; does nothing when there is none. The request says
     * {@link StoreRequest#isCancelled} before this is called, for a store that has only just begun to wait.
     */
    void cancel(StoreRequest request);

    /**
     * Extends leases that are still held so that each lasts at least its term from now on, and answers those that are no longer
     * held. Never revives one that has ended, and never shortens one: answers may arrive in another order than requests.
     */
    List<StoreGrant> renew(List<Renewal> renewals);

    /**
     * What the renewal of a grant depends on. Grants with equal answers are renewed in one call, others in calls of their own, so that
     * a server which doesn't answer costs no lease that another one keeps. By default all depend on the store as a whole. Answers from memory
     * and must not block: whoever asks watches over all leases.
     */
    default Object renewedWith(StoreGrant grant) {
        return this;
    }

    /** Gives back the grant's locks in reverse order, if they are still its own. Answers whether they were. */
    boolean release(StoreGrant grant);

    /** Who holds and who waits now. */
    LockSnapshot snapshot();

    /**
     * Fails if the store can't grant locks now because its server can't be reached or doesn't work; with the code
     * {@link dev.lockstep.core.ErrorCode#STORE_UNAVAILABLE} if that may pass. Says nothing about locks that are taken, and ends in
     * bounded time.
     */
    default void ping() {}

    /** Where the locks are: the same text for two stores whose locks meet. Empty if the store can't tell. */
    default Optional<String> identity() {
        return Optional.empty();
    }

    /** A register of this name beside the locks, for a pair of stores of which this one is the secondary; empty if the store has none. */
    default Optional<EpochRegister> epochs(String name) {
        return Optional.empty();
    }

    /** Tells what happens to the store itself, rather than to a request or a lease. The listener must not block. */
    default Locks.Subscription subscribe(Consumer<LockEvent> listener) {
        return () -> {};
    }

    /** Ends the store's own threads and connections. Requests that wait end with an error. */
    @Override
    void close();
}
