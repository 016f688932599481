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
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way through the table, and afterwards its grant.
 *
 * <p>At any time a claim is either queued at one entry, or moved along by exactly one thread, or answered. The fields without
 * synchronization belong to the thread that moves it; a shard's lock hands them over. The end of a grant is decided under the lock of its first shard.
 */
class Claim extends KeyNode implements StoreGrant {
    private static final long UNGRANTED = 0;
    private static final long RELEASED = -1;
    private static final long REVOKED = -2;
    private static final AtomicLong PLACES = new AtomicLong();
    private static final AtomicLongFieldUpdater<Claim> EXPIRY =
            AtomicLongFieldUpdater.newUpdater(Claim.class, "expiry");

    final StoreRequest request;
    private LockPlan plan;

    /** How many locks it took, those off the table included. */
    private int taken;

    /** The last hold that it took; null while it took none, or stands in the key table itself. */
    private volatile @Nullable EntryHold last;

    private volatile @Nullable Wait wait;
    private long since;
    private long token;

    /** Store nanoseconds (always positive) while held, else one of the states above. */
    private volatile long expiry;

    Claim(StoreRequest request, long since) {
        this(request, request.plan(), since);
    }

    private Claim(StoreRequest request, LockPlan plan, long since) {
        super(plan.isPath() ? plan.hash(plan.size() - 1) : 0);
        this.since = since;
        this.request = request;
        this.plan = plan;
    }

    // ---- moved along, under a shard's lock

    /** Whether it took nothing yet and was never queued. */
    boolean isNew() {
        return taken == 0 && !isQueuedOnce();
    }

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
        EntryHold hold = new EntryHold(this, entry, nextMode());
        entry.take(hold); // last of what can fail, so that a failure leaves nothing in the table
        push(hold);
        taken++;
    }

    private void push(EntryHold hold) {
        hold.earlier = last;
        last = hold;
    }

    // ---- on one thing, with its intents off the table; under the shard's lock

    /** Whether it is a request for one thing that took nothing yet. */
    boolean isNewOnOneThing() {
        return taken == 0 && plan.isPath();
    }

    int depth() {
        return plan.size();
    }

    /** The one thing that it is about. */
    @Override
    LockKey key() {
        return plan.key(plan.size() - 1);
    }

    LockMode targetMode() {
        return plan.mode(plan.size() - 1);
    }

    /** Takes the one thing without an entry for it. */
    void takeWithoutEntry(Shard shard) {
        shard.add(this);
        taken = plan.size();
    }

    /** Takes the one thing; what is above it stays off the table. */
    void takeAlone(LockEntry entry) {
        EntryHold hold = new EntryHold(this, entry, targetMode());
        entry.take(hold);
        push(hold);
        taken = plan.size();
    }

    @Override
    void forEachHolding(BiConsumer<Claim, LockMode> action) {
        action.accept(this, targetMode());
    }

    /** Becomes a holder in the entry that takes its place in the key table. */
    void enter(LockEntry entry) {
        EntryHold hold = new EntryHold(this, entry, targetMode());
        entry.takeCounted(hold);
        push(hold);
    }

    // A set is moved under the locks of several shards, so only a path may be asked how it stands in the table.

    /** Whether it stands in the key table itself. */
    boolean hasNoEntry() {
        return plan.isPath() && taken > 0 && last == null;
    }

    /** Whether it holds intents that are not in the table. */
    boolean isOffTable() {
        EntryHold hold = last;
        return plan.isPath() && taken > 1 && (hold == null || hold.earlier == null);
    }

    void putIntentsOn(Shard shard) {
        shard.ensureEntry(this);
        EntryHold target = Objects.requireNonNull(last);
        EntryHold above = null;
        for (int i = 0; i < plan.size() - 1; i++) {
            LockEntry entry = shard.obtain(plan.key(i), plan.hash(i));
            entry.prepare();
            EntryHold hold = new EntryHold(this, entry, plan.mode(i));
            hold.earlier = above;
            above = hold;
        }
        // Separately, so that what fails leaves nothing in the table.
        for (EntryHold hold = above; hold != null; hold = hold.earlier) {
            hold.entry.take(hold);
        }
        target.earlier = above;
        last = target;
    }

    LockPlan plan() {
        return plan;
    }

    /** Makes its lock on this key shared, as the plan says; returns the hold, or null if there is none in the table that had to be changed. */
    @Nullable
    EntryHold share(LockKey key, LockMode mode, LockPlan shared) {
        plan = shared; // which says what is off the table, too
        for (EntryHold hold = last; hold != null; hold = hold.earlier) {
            if (hold.entry.key.equals(key) && hold.mode != mode && hold.entry.contains(hold)) {
                hold.entry.change(hold, mode);
                return hold;
            }
        }
        return null;
    }

    /** What it holds off the table. */
    List<PlannedLock> intentsOff() {
        return isOffTable() ? plan.locks().subList(0, plan.size() - 1) : List.of();
    }

    // ---- moved along, under a shard's lock, as all claims are

    void queueAt(LockEntry entry, long now) {
        EntryHold hold = new EntryHold(this, entry, nextMode());
        if (!isQueuedOnce()) {
            since = now;
        }
        Wait own = waiting();
        own.place = PLACES.incrementAndGet();
        entry.enqueue(hold);
        own.queuedAt = hold;
    }

    private Wait waiting() {
        Wait own = wait;
        if (own == null) {
            own = new Wait();
            wait = own;
        }
        return own;
    }

    boolean isQueuedOnce() {
        return place() > 0;
    }

    void promoted() {
        Wait own = waiting();
        push(Objects.requireNonNull(own.queuedAt));
        taken++;
        own.queuedAt = null;
    }

    void unqueue() {
        Wait own = waiting();
        EntryHold hold = Objects.requireNonNull(own.queuedAt);
        hold.entry.dequeue(hold);
        own.queuedAt = null;
    }

    /** Rises with every claim that is queued anywhere; zero for one that never was. */
    long place() {
        Wait own = wait;
        return own == null ? 0 : own.place;
    }

    @Nullable
    EntryHold queuedAt() {
        Wait own = wait;
        return own == null ? null : own.queuedAt;
    }

    /** Whether it took more than the first ones to keep. */
    boolean hasMoreThan(int kept) {
        return taken > kept;
    }

    /** The hash of the root above the first lock. */
    int firstRootHash() {
        return plan.rootHash(0);
    }

    /** The hash of the root above the last lock that was taken. */
    int lastRootHash() {
        return plan.rootHash(taken - 1);
    }

    /** The last lock that was taken, if it is one in an entry. */
    EntryHold last() {
        return Objects.requireNonNull(last);
    }

    void releasedLast() {
        if (hasNoEntry() || isOffTable()) {
            taken = 0;
            last = null;
        } else {
            taken--;
            last = last().earlier;
        }
    }

    /** A hint: may be asked without the shard's lock, while another thread moves the claim. */
    boolean isWaitedFor() {
        for (EntryHold hold = last; hold != null; hold = hold.earlier) {
            if (hold.entry.hasWaiters()) {
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
        waiting().answer = given;
        notifyOf(given);
    }

    /** Gives the answer without a notification; {@link #notifyWaiter} must follow. */
    void granted(StoreGrant given) {
        waiting().answer = given;
    }

    /** Ends it with a failure; {@link #notifyWaiter} must follow. */
    void fail(Throwable error) {
        waiting().failure = error;
        waiting().answer = new StoreBusy(new PlannedLock(plan.key(0), plan.mode(0)), List.of());
    }

    /** Throws the failure that ended it, if one did. */
    void throwFailure() {
        Wait own = wait;
        if (own != null && own.failure != null) {
            throw new LockException(
                    ErrorCode.STORE_FAILED,
                    "The thread that released " + plan + " failed to pass the locks on: " + own.failure
                            + ". Nothing of this request is held. Try again.",
                    List.of(),
                    own.failure);
        }
    }

    void notifyWaiter() {
        notifyOf(answer());
    }

    void notifyOf(StoreAnswer given) {
        LockSupport.unpark(waiting().waiter);
    }

    boolean isAnswered() {
        Wait own = wait;
        return own != null && own.answer != null;
    }

    StoreAnswer answer() {
        return Objects.requireNonNull(waiting().answer);
    }

    // ---- held

    /** Grants it. The term begins with the start that the request has marked, or with the wait's end. */
    void granted(long now, long grantToken) {
        since = now;
        token = grantToken;
        EXPIRY.lazySet(this, now + request.term().toNanos());
    }

    boolean isGranted() {
        return expiry != UNGRANTED;
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

    @Override
    public long token() {
        return token;
    }

    // ---- the end, under the lock of the first shard

    /** Lets a lease that isn't over last at least this long from now on. */
    boolean prolong(long now, long term) {
        if (expiry <= now) {
            return false;
        }
        EXPIRY.lazySet(this, Math.max(expiry, now + term));
        return true;
    }

    /** Takes an expired grant away; true for the one caller that did and must release its locks. */
    boolean revoke(long now) {
        if (!isExpired(now)) {
            return false;
        }
        EXPIRY.lazySet(this, REVOKED);
        return true;
    }

    /** Ends the grant; false if it had ended before. */
    boolean end() {
        if (expiry <= UNGRANTED) {
            return false;
        }
        EXPIRY.lazySet(this, RELEASED);
        return true;
    }
}
