package dev.lockstep.shedlock;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.LockTimeoutException;
import dev.lockstep.core.Locks;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * ShedLock's locks on any store of Lockstep. A lock's name is the id of a key of one kind.
 *
 * <p>While its process lives, a lock is renewed, released after {@code lockAtMostFor}, and kept until {@code lockAtLeastFor} has passed even if it is
 * unlocked before. When the process dies, a store that keeps leases without a connection keeps the lock until {@code lockAtLeastFor} has passed and the
 * lease has expired; a database releases it with the connection.
 */
public final class LockstepLockProvider implements ExtensibleLockProvider {
    private static final Logger LOG = LoggerFactory.getLogger(LockstepLockProvider.class);

    private final Locks locks;
    private final LockKind kind;
    private final ScheduledReleases releases = new ScheduledReleases();

    private LockstepLockProvider(Locks locks, LockKind kind) {
        this.locks = Objects.requireNonNull(locks, "locks");
        this.kind = Objects.requireNonNull(kind, "kind");
    }

    /** A provider whose locks are keys of this kind, which must have no parent, such as {@code LockKind.of("job", 9)}. */
    public static LockstepLockProvider on(Locks locks, LockKind kind) {
        return new LockstepLockProvider(locks, kind);
    }

    /**
     * Acquires the lock if it is free.
     *
     * @return the lock; empty if another holder has it, also on this thread
     * @throws dev.lockstep.core.LockException if the store failed or the name is invalid; nothing is held
     */
    @Override
    public Optional<SimpleLock> lock(LockConfiguration configuration) {
        LockRequest request =
                LockRequest.exclusive(kind.key(configuration.getName())).withoutWaiting();
        HoldTimes times = HoldTimes.from(configuration); // before the request, so that no time is given away
        return acquire(request).map(lease -> held(lease, configuration, times));
    }

    private SimpleLock held(Lease lease, LockConfiguration configuration, HoldTimes times) {
        try {
            keepInStore(lease, configuration.getLockAtLeastFor());
        } catch (RuntimeException | Error e) {
            lease.release();
            throw e;
        }
        JobHold hold = new JobHold(lease, releases);
        hold.holdFor(times);
        return new LeaseLock(configuration, hold, times);
    }

    /** Acquired without a thread, because ShedLock may unlock on another one, and must be refused what this one has. */
    private Optional<Lease> acquire(LockRequest request) {
        CompletableFuture<Lease> asked = locks.acquireAsync(request);
        try {
            return Optional.of(asked.join());
        } catch (CompletionException e) {
            if (e.getCause() instanceof LockTimeoutException) {
                return Optional.empty();
            }
            throw e.getCause() instanceof RuntimeException failure ? failure : e;
        }
    }

    /** Has the store keep the lease for the least time, also if this process dies. */
    static void keepInStore(Lease lease, Duration least) {
        if (least.isZero() || least.isNegative()) {
            return;
        }
        try {
            lease.renew(least);
        } catch (InvalidRequestException e) {
            LOG.info(
                    "The store's longest term is shorter than lockAtLeastFor {}: {} is kept that long only while this process lives",
                    least,
                    lease.keys(),
                    e);
        }
    }
}
