package dev.lockstep.core.spi;

import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockSnapshot;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

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
     * a server which doesn't answer costs no lease that another one keeps. By default all depend on the store as a whole.
     */
    default Object renewedWith(StoreGrant grant) {
        return this;
    }

    /** Gives back the grant's locks in reverse order, if they are still its own. Answers whether they were. */
    boolean release(StoreGrant grant);

    /** Who holds and who waits now. */
    LockSnapshot snapshot();

    /** Ends the store's own threads and connections. Requests that wait end with an error. */
    @Override
    void close();
}
