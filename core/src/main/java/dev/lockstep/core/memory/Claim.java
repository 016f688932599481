package dev.lockstep.core.memory;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.core.spi.LockPlan;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreBusy;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way through the table, and afterwards its grant.
 *
 * <p>At any time a claim is either queued at one entry, or moved along by exactly one thread, or answered. The fields without
 * synchronization belong to the thread that moves it; a shard's lock hands them over.
 */
class Claim implements StoreGrant {
    private static final long UNGRANTED = 0;
    private static final long RELEASED = -1;
    private static final long REVOKED = -2;
    private static final AtomicLong PLACES = new AtomicLong();
    private static final AtomicLongFieldUpdater<Claim> EXPIRY =
            AtomicLongFieldUpdater.newUpdater(Claim.class, "expiry");

    final StoreRequest request;
    private LockPlan plan;
    private final @Nullable Thread waiter;

    /** What it took, by its place in the plan; null while it took nothing, or its intents are off the table. */
    private volatile Hold @Nullable [] holds;

    /** The one hold of a claim whose intents are off the table; changes under the shard's lock. */
    private volatile @Nullable Hold alone;

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
    private @Nullable Throwable failure;

    /** {@code waiter} is the thread that is woken up by the answer; null when {@link #told} does something else. */
    Claim(StoreRequest request, @Nullable Thread waiter, long since) {
        this.since = since;
        this.request = request;
        this.waiter = waiter;
        plan = request.plan();
    }

    // ---- moved along, under a shard's lock

    boolean hasAll() {
        return taken == plan.size();
    }

    LockKey nextKey() {
        return plan.key(taken);
    }

    int nextHash() {
        return plan.hash(taken);
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
        Hold[] all = holds(); // before it is in the table: what fails then leaves nothing there
        Hold hold = new Hold(this, entry, nextMode());
        entry.take(hold);
        all[taken++] = hold;
    }

    private Hold[] holds() {
        Hold[] all = holds;
        if (all == null) {
            all = new Hold[plan.size()];
            holds = all;
        }
        return all;
    }

    // ---- with its intents off the table, under the shard's lock

    /** The depth of the key, for a claim on one thing below others that has taken nothing; else zero. */
    int depthOfPath() {
        return taken == 0 && plan.isPath() && plan.size() > 1 ? plan.size() : 0;
    }

    LockKey target() {
        return plan.key(plan.size() - 1);
    }

    int targetHash() {
        return plan.hash(plan.size() - 1);
    }

    LockMode targetMode() {
        return plan.mode(plan.size() - 1);
    }

    /** Takes the key at the end of the path; what is above it stays off the table. */
    void takeAlone(LockEntry entry) {
        Hold hold = new Hold(this, entry, targetMode());
        entry.take(hold);
        alone = hold;
        taken = plan.size();
    }

    boolean isOffTable() {
        return alone != null;
    }

    void putIntentsOn(Shard shard) {
        Hold[] all = new Hold[plan.size()];
        int last = all.length - 1;
        for (int i = 0; i < last; i++) {
            LockEntry entry = shard.obtain(plan.key(i), plan.hash(i));
            entry.prepare();
            all[i] = new Hold(this, entry, plan.mode(i));
        }
        for (int i = 0; i < last; i++) { // separately, so that what fails leaves nothing in the table
            all[i].entry.take(all[i]);
        }
        all[last] = Objects.requireNonNull(alone);
        holds = all;
        alone = null;
    }

    LockPlan plan() {
        return plan;
    }

    /** Makes its lock at this place of the plan shared; returns the hold, or null if there is none in the table that had to be changed. */
    @Nullable
    Hold share(int index, LockPlan shared) {
        plan = shared; // which says what is off the table, too
        Hold[] all = holds;
        Hold hold = alone != null ? (index == plan.size() - 1 ? alone : null) : all == null ? null : all[index];
        LockMode mode = shared.mode(index);
        if (hold == null || hold.mode == mode || !hold.entry.contains(hold)) {
            return null;
        }
        hold.entry.change(hold, mode);
        return hold;
    }

    /** What it holds off the table. */
    List<PlannedLock> intentsOff() {
        return alone == null ? List.of() : plan.locks().subList(0, plan.size() - 1);
    }

    // ---- moved along, under a shard's lock, as all claims are

    void queueAt(LockEntry entry, long now) {
        Hold[] unused = holds(); // created now, since a promotion must not fail
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
        holds()[taken++] = Objects.requireNonNull(queuedAt);
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

    /** Whether it took more than the first ones to keep. */
    boolean hasMoreThan(int kept) {
        return taken > kept;
    }

    /** The hash of the root above the last lock that was taken. */
    int lastRootHash() {
        return plan.rootHash(taken - 1);
    }

    /** The last lock that was taken. */
    Hold last() {
        Hold only = alone;
        return only != null ? only : holds()[taken - 1];
    }

    void gaveBackLast() {
        taken = alone != null ? 0 : taken - 1;
        alone = null;
    }

    /** A hint: may be asked without the shard's lock, while another thread moves the claim. */
    boolean isWaitedFor() {
        Hold only = alone;
        if (only != null && only.entry.hasWaiters()) {
            return true;
        }
        Hold[] all = holds;
        if (all != null) {
            for (Hold hold : all) { // unlike the count of those taken, this can be read while another thread moves it
                if (hold != null && hold.entry.hasWaiters()) {
                    return true;
                }
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

    /** Ends it with a failure; {@link #tell} must follow. */
    void fail(Throwable error) {
        failure = error;
        answer = new StoreBusy(new PlannedLock(plan.key(0), plan.mode(0)), List.of());
    }

    /** Throws the failure that ended it, if one did. */
    void throwFailure() {
        if (failure != null) {
            throw new LockException(
                    ErrorCode.STORE_FAILED,
                    "The thread that released " + plan + " failed to pass the locks on: " + failure
                            + ". Nothing of this request is held. Try again.",
                    List.of(),
                    failure);
        }
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

    /** When the lease will have ended, in store nanoseconds; the end of time for a claim that has no lease. */
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

    /** Takes an expired grant away; true for the one caller that did and must release its locks. */
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
