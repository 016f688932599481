package dev.lockstep.core.memory;

import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.LockPlan;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way through the table, and afterwards its grant.
 *
 * <p>At any time a claim is either queued at one entry, or moved along by exactly one thread, or answered. The fields without
 * synchronization belong to whoever moves it; a shard's lock hands them over.
 */
class Claim implements StoreGrant {
    private static final long UNGRANTED = 0;
    private static final long RELEASED = -1;
    private static final long REVOKED = -2;
    private static final AtomicLong PLACES = new AtomicLong();
    private static final AtomicLongFieldUpdater<Claim> EXPIRY =
            AtomicLongFieldUpdater.newUpdater(Claim.class, "expiry");

    final StoreRequest request;
    private final LockPlan plan;
    private final Hold[] holds;
    private final @Nullable Thread waiter;
    private int taken;
    private boolean waits;
    private long since;
    private long place;
    private long token;

    /** Store nanoseconds (always positive) while held, else one of the states above. */
    private volatile long expiry;

    /** Where the claim is queued; null while it is moved along. */
    private volatile @Nullable Hold queuedAt;

    private volatile @Nullable StoreAnswer answer;

    /** {@code waiter} is the thread that is woken up by the answer; null when {@link #told} does something else. */
    Claim(StoreRequest request, @Nullable Thread waiter, long since) {
        this.since = since;
        this.request = request;
        this.waiter = waiter;
        plan = request.plan();
        holds = new Hold[plan.size()];
    }

    // ---- moved along, under a shard's lock

    boolean hasAll() {
        return taken == holds.length;
    }

    LockKey nextKey() {
        return plan.key(taken);
    }

    int nextHash() {
        return plan.hash(taken);
    }

    LockKey nextRoot() {
        return plan.root(taken);
    }

    int nextRootHash() {
        return plan.rootHash(taken);
    }

    LockMode nextMode() {
        return plan.mode(taken);
    }

    PlannedLock nextLock() {
        return new PlannedLock(nextKey(), nextMode());
    }

    void take(LockEntry entry) {
        Hold hold = new Hold(this, entry, nextMode());
        entry.hold(hold);
        holds[taken++] = hold;
    }

    void queueAt(LockEntry entry, long now) {
        Hold hold = new Hold(this, entry, nextMode());
        if (!waits) {
            waits = true;
            since = now;
        }
        place = PLACES.incrementAndGet();
        entry.enqueue(hold);
        queuedAt = hold;
    }

    void promoted() {
        holds[taken++] = Objects.requireNonNull(queuedAt);
        queuedAt = null;
    }

    void unqueue() {
        Hold hold = Objects.requireNonNull(queuedAt);
        hold.entry.dequeue(hold);
        queuedAt = null;
    }

    /** Rises with every claim that is queued anywhere. */
    long place() {
        return place;
    }

    @Nullable
    Hold queuedAt() {
        return queuedAt;
    }

    /** The last lock that was taken and not given back, unless it is one of the first ones to keep. */
    @Nullable
    Hold lastAfter(int kept) {
        return taken <= kept ? null : holds[taken - 1];
    }

    void gaveBackLast() {
        taken--;
    }

    boolean isWaitedFor() {
        for (Hold hold :
                holds) { // unlike the count of those taken, this can be read while another thread moves the claim
            if (hold != null && hold.entry.hasWaiters()) {
                return true;
            }
        }
        return false;
    }

    // ---- waiting

    /** When it began to wait or, once granted, when it was granted; in store nanoseconds. */
    long since() {
        return since;
    }

    void answer(StoreAnswer given) {
        answer = given;
        told(given);
    }

    /** Gives the answer without telling it; {@link #tell} must follow. */
    void granted(StoreGrant given) {
        answer = given;
    }

    void tell() {
        told(answer());
    }

    void told(StoreAnswer given) {
        LockSupport.unpark(waiter);
    }

    boolean isAnswered() {
        return answer != null;
    }

    StoreAnswer answer() {
        return Objects.requireNonNull(answer);
    }

    // ---- held

    void granted(long now, long grantToken) {
        since = now;
        token = grantToken;
        EXPIRY.lazySet(this, now + request.term().toNanos());
    }

    /** When the lease will be over, in store nanoseconds; the end of time for a claim that has no lease. */
    long expiry() {
        long at = expiry;
        return at > UNGRANTED ? at : Long.MAX_VALUE;
    }

    boolean isExpired(long now) {
        long at = expiry;
        return at > UNGRANTED && at <= now;
    }

    /** Whether its lease has expired or was ended, even if some of its locks are still in the table. False before the grant. */
    boolean hasEnded(long now) {
        long at = expiry;
        return at != UNGRANTED && at <= now;
    }

    /** Lets a lease that isn't over last at least this long from now on. */
    boolean prolong(long now, long term) {
        for (long at = expiry; at > now; at = expiry) {
            if (EXPIRY.compareAndSet(this, at, Math.max(at, now + term))) {
                return true;
            }
        }
        return false;
    }

    /** Takes an expired grant away; true for the one caller that did and must give its locks back. */
    boolean revoke(long now) {
        for (long at = expiry; at > UNGRANTED && at <= now; at = expiry) {
            if (EXPIRY.compareAndSet(this, at, REVOKED)) {
                return true;
            }
        }
        return false;
    }

    /** Ends the grant and answers when it would have ended; not positive when it had ended before. */
    long end() {
        return EXPIRY.getAndSet(this, RELEASED);
    }

    @Override
    public long token() {
        return token;
    }
}
