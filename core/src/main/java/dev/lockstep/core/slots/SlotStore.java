package dev.lockstep.core.slots;

import dev.lockstep.core.Attempt;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.spi.SharedNumbers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The locks beneath permits. Their leases belong to no thread. */
public interface SlotStore {
    /** As {@link dev.lockstep.core.Locks#acquire}. */
    Lease acquire(LockRequest request);

    /** As {@link dev.lockstep.core.Locks#tryAcquire}. */
    Attempt tryAcquire(LockRequest request);

    /** As {@link dev.lockstep.core.Locks#acquireAsync}. */
    CompletableFuture<Lease> acquireAsync(LockRequest request);

    /** The kind of store, as messages name it. */
    String name();

    /** What the processes of the store agree on. */
    Optional<SharedNumbers> numbers();

    /** Whether a request that waits occupies a thread or a connection. */
    boolean waitsBlock();

    /** Equal for keys that exclude each other although they differ. */
    Object lockedFor(LockKey key);

    /** The holder's clocks. */
    LockClock clock();

    /** How long a request waits that doesn't say. */
    Duration defaultWait();
}
