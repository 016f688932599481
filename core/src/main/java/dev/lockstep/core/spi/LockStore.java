package dev.lockstep.core.spi;

import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockEvent;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.Locks;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Acquires sorted lists of locks, all or nothing, for as long as a lease lasts. A store knows nothing of ancestors, ranks or
 * nesting.
 *
 * <p>While a request waits, it holds the locks that come earlier in its plan and queues at the first one that is not free. It
 * never queues at, or reserves, a later one: that would deadlock legal nested requests.
 *
 * <p>Contention is a result. A store that is unreachable or fails throws a {@link dev.lockstep.core.LockException}.
 */
public interface LockStore extends AutoCloseable {
    /** The kind of store, as leases and events name it, such as {@code memory}. */
    String name();

    /** The limitations of this store; empty if it has none. */
    Set<StoreTrait> traits();

    /** The clocks of this process that the store uses, and the holders of its leases with it. */
    default LockClock clock() {
        return LockClock.system();
    }

    /**
     * Records kinds.
     *
     * @throws dev.lockstep.core.KindMismatchException if they were declared differently before
     */
    void declare(List<KindDefinition> kinds);

    /** Acquires all locks of the plan; blocks until then, or until the request's deadline. */
    StoreAnswer acquire(StoreRequest request) throws InterruptedException;

    /**
     * The same without blocking the caller. Cancelling the future removes the request from every queue; what it may have
     * been granted meanwhile is released. The default uses a thread of {@code blocking} for the time of the wait.
     */
    default CompletableFuture<StoreAnswer> acquireAsync(StoreRequest request, Executor blocking) {
        return BlockingAcquire.start(this, request, blocking);
    }

    /**
     * Ends a wait as if it had timed out; does nothing if there is none. The request is
     * {@link StoreRequest#isCancelled cancelled} before this is called, for a store that has only just begun to wait.
     */
    void cancel(StoreRequest request);

    /**
     * Extends leases that are still held so that each lasts at least its term from now on, and returns those that are no longer
     * held. Never revives one that has ended, and never shortens one: responses may arrive in another order than requests.
     */
    List<StoreGrant> renew(List<Renewal> renewals);

    /**
     * What the renewal of a grant depends on. Grants that depend on equal objects are renewed in one call, others in separate calls, so that
     * a server which doesn't respond costs no lease on another one. By default all depend on the store as a whole. Must not block: the
     * calling thread watches all leases.
     */
    default Object renewedWith(StoreGrant grant) {
        return this;
    }

    /** Whether {@link #downgrade} may be called; false by default. The same for as long as the store is open. Must not block. */
    default boolean canDowngrade() {
        return false;
    }

    /**
     * Makes the exclusive locks of a grant shared, as {@link LockPlan#shared} says, and admits the requests that waited only for that. Does nothing for
     * what the grant no longer holds, or holds as shared already. May be called on several threads at a time for one grant.
     *
     * @throws dev.lockstep.core.LockException if the store can't be reached; the locks may then be shared or exclusive
     * @throws UnsupportedOperationException if the store can't downgrade
     */
    default void downgrade(StoreGrant grant) {
        throw new UnsupportedOperationException(
                "The store '" + name() + "' can't downgrade locks. Nothing was changed.");
    }

    /** Releases the grant's locks in reverse order, if it still holds them. Returns whether it did. */
    boolean release(StoreGrant grant);

    /** The current holders and waiters. */
    LockSnapshot snapshot();

    /**
     * Checks that the server of the store is reachable and works. Says nothing about locks that are held, and ends in bounded time.
     *
     * @throws dev.lockstep.core.LockException if it can't grant locks now; with the code
     *     {@link dev.lockstep.core.ErrorCode#STORE_UNAVAILABLE} if that may be temporary
     */
    default void ping() {}

    /** Where the locks are: the same text for two stores whose locks meet. Empty if the store can't know. */
    default Optional<String> identity() {
        return Optional.empty();
    }

    /**
     * The address that the store was given, such as {@code redis host:6379/0/shop}: the same text in processes whose locks meet. Empty if it was
     * given connections rather than an address. Never asks a server.
     */
    default Optional<String> address() {
        return Optional.empty();
    }

    /** A register of this name beside the locks, for a pair of stores of which this one is the secondary; empty if the store has none. */
    default Optional<EpochRegister> epochs(String name) {
        return Optional.empty();
    }

    /**
     * Numbers that all processes of the store share; empty if the store has none. Then its locks have no permits, because processes can't compare how
     * many they declare for a key.
     */
    default Optional<SharedNumbers> numbers() {
        return Optional.empty();
    }

    /** What is really locked for a key: equal for keys that exclude each other although they differ. The key itself by default. */
    default Object lockedFor(LockKey key) {
        return key;
    }

    /** Reports events of the store itself, rather than of a request or a lease. The listener must not block. */
    default Locks.Subscription subscribe(Consumer<LockEvent> listener) {
        return () -> {};
    }

    /** Ends the store's own threads and connections. Requests that wait end with an error. */
    @Override
    void close();
}
