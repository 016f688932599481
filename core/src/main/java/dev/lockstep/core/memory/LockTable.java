package dev.lockstep.core.memory;

import dev.lockstep.core.LockKey;
import dev.lockstep.core.spi.LockPlan;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreGrant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * How claims move
 * ---------------
 * All keys of one tree live in one shard, so a claim on one thing takes its whole path under one lock, and releases it
 * under one lock. A set of several trees is taken in plan order, run by run; no thread ever holds two shard locks, except
 * one that holds all of them to prove a deadlock.
 *
 * A claim that meets a conflict queues at that one entry and keeps what it took before. The thread that frees the entry promotes it
 * under the shard's lock, and then, holding no lock, moves it on to its next key. So a waiting thread wakes up once, when
 * everything is acquired, and a request without a thread needs none.
 *
 * Cancelling works only on a queued claim, under the lock of the shard it is queued in. A claim that is being moved by
 * another thread is either queued again or complete a moment later; the canceller waits for that moment. Hence nothing is
 * ever granted to a caller that has left, and a call that timed out leaves nothing behind when it returns.
 */
final class LockTable {
    /** Where a claim has come to. */
    enum Step {
        COMPLETE,
        QUEUED,
        REFUSED
    }

    private static final int MOST_DOUBLINGS = 16;
    private static final List<Claim> NONE = List.of();
    private static final ThreadLocal<@Nullable Deque<Claim>> NOTIFYING = new ThreadLocal<>();

    private final Shard[] shards;
    private final int shift;
    private final StoreTime time;
    private final LockInspector inspector;
    private final Consumer<Claim> onComplete;
    private final Consumer<Claim> onQueuedAgain;

    LockTable(StoreTime time, LockInspector inspector, Consumer<Claim> onComplete, Consumer<Claim> onQueuedAgain) {
        int wanted = Math.max(64, 16 * Runtime.getRuntime().availableProcessors());
        int bits = 32 - Integer.numberOfLeadingZeros(wanted - 1);
        shards = new Shard[1 << bits];
        for (int i = 0; i < shards.length; i++) {
            shards[i] = new Shard();
        }
        shift = 32 - bits;
        this.time = time;
        this.inspector = inspector;
        this.onComplete = onComplete;
        this.onQueuedAgain = onQueuedAgain;
    }

    private Shard shardOf(int rootHash) {
        return shards[(rootHash * 0x9E3779B9) >>> shift];
    }

    // ---- tokens

    /**
     * Grants a claim that has all its locks. Its token is above those of all earlier grants in its shards, and thus on its keys. The token of a nested
     * lease stands for what its outer leases hold, too, so it is raised in their shards as well.
     */
    void grant(Claim claim, long now) {
        long token = time.micros(now);
        Set<Shard> used = shardsOf(claim);
        long least = raise(used, token);
        for (int tries = 0; least != token; tries++) { // others were granted in between; ever further ahead of them
            token = least + (1L << Math.min(tries, MOST_DOUBLINGS));
            least = raise(used, token);
        }
        claim.granted(now, token);
    }

    /** Makes this the last token of all these shards; returns it, or the least that could be. */
    private static long raise(Set<Shard> used, long token) {
        long least = token;
        for (Shard shard : used) {
            shard.lock();
            try {
                least = Math.max(least, shard.raiseToken(token));
            } finally {
                shard.unlock();
            }
        }
        return least;
    }

    private Set<Shard> shardsOf(Claim claim) {
        Set<Shard> used = new HashSet<>();
        addShardsOf(claim, used);
        for (StoreGrant outer : claim.request.outer()) {
            if (outer instanceof Claim held) { // else this is the queue of another store, whose tokens count
                addShardsOf(held, used);
            }
        }
        return used;
    }

    private void addShardsOf(Claim claim, Set<Shard> used) {
        LockPlan plan = claim.plan();
        for (int i = 0; i < (plan.isPath() ? 1 : plan.size()); i++) {
            used.add(shardOf(plan.rootHash(i)));
        }
    }

    // ---- acquiring

    /**
     * Takes what can be taken; at the first conflict the claim queues or, when it doesn't wait, is refused. A lease that has ended refuses
     * no request, even while another thread is still removing its locks. A claim that is not nested and
     * took all its locks at once, in one shard, is also granted.
     */
    @SuppressWarnings("ThreadPriorityCheck") // as in withdraw
    Step advance(Claim claim) {
        while (!claim.hasAll()) {
            List<Claim> expired;
            List<Claim> promoted = NONE;
            StoreAnswer refusal;
            boolean beingFreed;
            Shard shard = shardOf(claim.nextRootHash());
            shard.lock();
            try {
                boolean first = claim.isNew() && claim.request.outer().isEmpty();
                LockEntry blocked = takeRun(claim, shard);
                if (blocked == null) {
                    if (first && claim.hasAll()) {
                        claim.granted(claim.since(), shard.drawToken(time.micros(claim.since())));
                    }
                    continue;
                }
                long now = time.now();
                expired = expiredBlockers(blocked, claim, now);
                if (expired.isEmpty() && claim.request.waits()) {
                    claim.queueAt(blocked, now);
                    return Step.QUEUED;
                }
                refusal = inspector.busy(blocked, claim.nextMode(), null);
                beingFreed = blocked.isBeingFreedFor(claim.nextMode(), now);
                if (!claim.request.waits()) {
                    promoted = releaseRun(claim, 0, shard, promoted); // under the same lock, so that it is never seen
                }
            } finally {
                shard.unlock();
            }
            moveOn(promoted);
            expired.forEach(this::expire);
            if (expired.isEmpty() && beingFreed) {
                Thread.yield();
            } else if (expired.isEmpty()) {
                releaseLocks(claim);
                claim.answer(refusal);
                return Step.REFUSED;
            }
        }
        return Step.COMPLETE;
    }

    /** Takes as many of the claim's next locks as lie in one shard; returns the entry that doesn't admit it, if one doesn't. */
    private @Nullable LockEntry takeRun(Claim claim, Shard shard) {
        if (takeAlone(claim, shard)) {
            return null;
        }
        do {
            shard.putIntentsOn(claim.nextKey(), claim.nextMode());
            LockEntry entry = shard.obtain(claim.nextKey(), claim.nextHash());
            if (!entry.admits(claim.nextMode())) {
                return entry;
            }
            claim.take(entry);
        } while (!claim.hasAll() && shardOf(claim.nextRootHash()) == shard);
        return null;
    }

    /** Takes the one thing that a claim is about, if that is free and no request is for the whole of what is above it. */
    private static boolean takeAlone(Claim claim, Shard shard) {
        if (!claim.isNewOnOneThing() || !shard.leavesIntentsOff(claim.depth())) {
            return false;
        }
        LockKey key = claim.key();
        shard.putIntentsOn(key, claim.targetMode());
        if (shard.find(key, claim.hash) == null) {
            claim.takeWithoutEntry(shard);
        } else {
            LockEntry entry = shard.obtain(key, claim.hash);
            if (!entry.admits(claim.targetMode())) {
                return false;
            }
            claim.takeAlone(entry);
        }
        shard.leftIntentsOff(claim.depth());
        return true;
    }

    private static List<Claim> expiredBlockers(LockEntry entry, Claim claim, long now) {
        List<Claim> expired = new ArrayList<>(0);
        entry.forEachHolderAgainst(claim.nextMode(), hold -> {
            if (hold.claim.isExpired(now)) {
                expired.add(hold.claim);
            }
        });
        return expired;
    }

    private void expire(Claim claim) {
        Shard first = firstShardOf(claim);
        boolean revoked;
        first.lock();
        try {
            revoked = claim.revoke(time.now());
        } finally {
            first.unlock();
        }
        if (revoked) {
            releaseLocks(claim);
        }
    }

    private Shard firstShardOf(Claim claim) {
        return shardOf(claim.firstRootHash());
    }

    /** Lets a lease that has not ended last at least this long from now on; false if it has ended. */
    boolean prolong(Claim claim, long now, long term) {
        Shard first = firstShardOf(claim);
        first.lock();
        try {
            return claim.prolong(now, term);
        } finally {
            first.unlock();
        }
    }

    /** Makes what a claim holds shared, lock by lock in reverse order, and moves on the requests that waited for that. */
    void share(Claim claim) {
        LockPlan shared = claim.plan().shared();
        for (int i = shared.size() - 1; i >= 0; i--) {
            List<Claim> promoted = NONE;
            Shard shard = shardOf(shared.rootHash(i));
            shard.lock();
            try {
                if (claim.hasNoEntry()) {
                    shard.ensureEntry(claim);
                }
                EntryHold changed = claim.share(shared.key(i), shared.mode(i), shared);
                if (changed != null) {
                    promoted = settle(shard, changed.entry, NONE);
                }
            } finally {
                shard.unlock();
            }
            moveOn(promoted);
        }
    }

    /** Ends a grant and releases its locks; false if it had ended before. One whose term has passed still has its locks until another request wants one. */
    boolean release(Claim claim) {
        Shard first = firstShardOf(claim);
        List<Claim> promoted;
        first.lock();
        try {
            if (!claim.end()) {
                return false;
            }
            promoted = releaseRun(claim, 0, first, NONE);
        } finally {
            first.unlock();
        }
        moveOn(releaseAfter(claim, 0, promoted));
        return true;
    }

    /** Releases everything a claim took, in reverse order, and moves on the requests that waited for it. */
    void releaseLocks(Claim claim) {
        releaseLocksAfter(claim, 0);
    }

    /** Releases what a claim took after the first ones that it keeps. */
    void releaseLocksAfter(Claim claim, int kept) {
        moveOn(releaseAfter(claim, kept, NONE));
    }

    /** The same without moving on the requests that waited for it; returns them, added to the others. */
    private List<Claim> releaseAfter(Claim claim, int kept, List<Claim> before) {
        List<Claim> promoted = before;
        while (claim.hasMoreThan(kept)) {
            Shard shard = shardOf(claim.lastRootHash());
            shard.lock();
            try {
                if (kept > 0 && claim.isOffTable()) {
                    claim.putIntentsOn(shard);
                }
                promoted = releaseRun(claim, kept, shard, promoted);
            } finally {
                shard.unlock();
            }
        }
        return promoted;
    }

    private List<Claim> releaseRun(Claim claim, int kept, Shard shard, List<Claim> before) {
        if (claim.hasNoEntry()) {
            shard.remove(claim);
            claim.releasedLast();
            return before;
        }
        List<Claim> promoted = before;
        while (claim.hasMoreThan(kept) && claim.last().entry.shard == shard) {
            EntryHold last = claim.last();
            claim.releasedLast();
            last.entry.release(last);
            promoted = settle(shard, last.entry, promoted);
        }
        return promoted;
    }

    /** Grants the requests that waited at an entry, and drops it when none is left; returns them, added to the others. */
    private static List<Claim> settle(Shard shard, LockEntry entry, List<Claim> before) {
        List<Claim> promoted = before;
        if (entry.hasWaiters()) {
            promoted = new ArrayList<>(before);
            entry.promote(promoted);
        }
        shard.dropIfUnused(entry);
        return promoted;
    }

    /**
     * Moves promoted claims on to their next keys. If this thread fails at one of them, for example because its stack is used up, that claim ends
     * with the failure and keeps nothing; the requests that waited for it are moved on as well.
     */
    private void moveOn(List<Claim> promoted) {
        if (promoted.isEmpty()) {
            return;
        }
        Deque<Claim> open = new ArrayDeque<>(promoted);
        List<Claim> complete = new ArrayList<>(promoted.size());
        List<Claim> queuedAgain = new ArrayList<>(0);
        List<Claim> failed = new ArrayList<>(0);
        for (Claim claim = open.poll(); claim != null; claim = open.poll()) {
            try {
                if (advance(claim) == Step.COMPLETE) {
                    onComplete.accept(claim); // grants it, without a notification yet
                    complete.add(claim);
                } else {
                    queuedAgain.add(claim);
                }
            } catch (RuntimeException | Error e) {
                claim.fail(e);
                failed.add(claim);
                open.addAll(releaseAfter(claim, 0, NONE));
            }
        }
        // From here on no claim is in this thread's hands, so that what follows may withdraw any of them.
        notifyGranted(complete);
        failed.forEach(Claim::notifyWaiter);
        queuedAgain.forEach(onQueuedAgain);
    }

    /**
     * Notifies granted claims one after the other. Notifying one may release others, on the same stack: those are left to the outermost call,
     * so that the stack doesn't grow with the queue.
     */
    private void notifyGranted(List<Claim> granted) {
        Deque<Claim> outer = NOTIFYING.get();
        if (outer != null) {
            outer.addAll(granted);
            return;
        }
        Deque<Claim> open = new ArrayDeque<>(granted);
        NOTIFYING.set(open);
        try {
            for (Claim claim = open.poll(); claim != null; claim = open.poll()) {
                claim.notifyWaiter();
            }
        } finally {
            NOTIFYING.remove();
        }
    }

    /**
     * Takes a waiting claim out of its queue, releases what it had, and gives it the answer made at the entry where it
     * waited. False when the claim was answered first.
     */
    @SuppressWarnings("ThreadPriorityCheck") // the other thread is at work for less than the cost of a parked thread
    boolean withdraw(Claim claim, Function<EntryHold, StoreAnswer> why) {
        while (!claim.isAnswered()) {
            List<Claim> promoted = new ArrayList<>(0);
            List<StoreAnswer> given = new ArrayList<>(1);
            boolean removed = whileQueued(claim, hold -> {
                given.add(why.apply(hold));
                claim.unqueue();
                promoted.addAll(settle(hold.entry.shard, hold.entry, NONE));
                return true;
            });
            if (removed) {
                moveOn(promoted);
                releaseLocks(claim);
                claim.answer(given.get(0));
                return true;
            }
            Thread.yield(); // another thread is moving it
        }
        return false;
    }

    /** Does something with a claim while it stays queued where it is; false when it isn't queued. */
    boolean whileQueued(Claim claim, Predicate<EntryHold> action) {
        EntryHold hold = claim.queuedAt();
        if (hold == null) {
            return false;
        }
        Shard shard = hold.entry.shard;
        shard.lock();
        try {
            return claim.queuedAt() == hold && action.test(hold);
        } finally {
            shard.unlock();
        }
    }

    /** Takes expired grants out of a waiting claim's way and answers when the next one in its way will expire. */
    long expireBlockers(Claim claim) {
        List<Claim> expired = new ArrayList<>(0);
        long[] next = {Long.MAX_VALUE};
        whileQueued(claim, hold -> {
            expired.addAll(expiredBlockers(hold.entry, claim, time.now()));
            hold.entry.forEachHolderAgainst(hold.mode, other -> next[0] = Math.min(next[0], other.claim.expiry()));
            return true;
        });
        expired.forEach(this::expire);
        return next[0];
    }

    /** Runs with the whole table standing still. */
    <T> T exclusively(Supplier<T> action) {
        int locked = 0;
        try {
            for (; locked < shards.length; locked++) {
                shards[locked].lock();
            }
            return action.get();
        } finally {
            while (locked > 0) {
                shards[--locked].unlock();
            }
        }
    }

    void forEachNode(Consumer<KeyNode> action) {
        for (Shard shard : shards) {
            shard.lock();
            try {
                shard.forEach(action);
            } finally {
                shard.unlock();
            }
        }
    }

    int size() {
        Set<LockKey> keys = new HashSet<>();
        forEachNode(node -> {
            keys.add(node.key());
            node.forEachHolding((claim, mode) -> claim.intentsOff().forEach(intent -> keys.add(intent.key())));
        });
        return keys.size();
    }
}
