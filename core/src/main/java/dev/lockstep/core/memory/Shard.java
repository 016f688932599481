package dev.lockstep.core.memory;

import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.internal.BriefLock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/*
 * Intents off the table
 * ---------------------
 * Intents never conflict with each other, and most things are locked at the same level. So a claim on one thing whose ancestors no request locks or
 * wants as a whole is entered at that thing alone; its intents are known from its plan. A request for the whole of an ancestor then first
 * puts the intents of all such claims of the shard into the table, under the shard's lock, and finds there what it would have found otherwise. While
 * it holds or waits, no claim below it stays off the table.
 *
 * That takes a look at every entry of the shard. So that it stays rare, as many claims as there were entries, times a constant, use the table
 * afterwards.
 *
 * Claims without an entry
 * -----------------------
 * Most keys are wanted by one claim at a time. Such a claim stands in the key table itself. The first other request for the key creates an entry that
 * takes its place, with the claim as its holder.
 */

/** A part of the lock table under one lock: the keys of some trees, while they are held or waited for. */
final class Shard extends BriefLock {
    private static final int DEPTHS = 8;
    private static final int CLAIMS_PER_ENTRY = 8;

    private final KeyTable nodes = new KeyTable();

    /** How many holds and waits there are, at each depth, that intents may conflict with; deeper ones count at the last. */
    private final int[] strong = new int[DEPTHS];

    /** No claim of a greater depth has its intents off the table. */
    private int deepestOffTable;

    private int claimsToUseTable;
    private long lastToken;

    // ---- tokens

    /** A token above all that were drawn here, and no less than this. */
    long drawToken(long atLeast) {
        lastToken = Math.max(lastToken + 1, atLeast);
        return lastToken;
    }

    /** Makes this the last token that was drawn here, if it is above all others, and returns it; else returns the least that would be. */
    long raiseToken(long token) {
        if (token <= lastToken) {
            return lastToken + 1;
        }
        lastToken = token;
        return token;
    }

    // ---- nodes

    @Nullable
    KeyNode find(LockKey key, int hash) {
        return nodes.find(key, hash);
    }

    /** The entry of a key, created when there is none. */
    LockEntry obtain(LockKey key, int hash) {
        KeyNode node = nodes.find(key, hash);
        if (node instanceof LockEntry entry) {
            return entry;
        }
        return node == null ? added(new LockEntry(this, key, hash)) : entryFor((Claim) node);
    }

    private LockEntry added(LockEntry entry) {
        nodes.add(entry);
        return entry;
    }

    /** Has a claim stand in an entry, so that it has a hold. */
    void ensureEntry(Claim claim) {
        LockEntry entry = obtain(claim.key(), claim.hash);
        assert entry.shard == this;
    }

    private LockEntry entryFor(Claim claim) {
        LockEntry entry = new LockEntry(this, claim.key(), claim.hash);
        claim.enter(entry);
        nodes.replace(claim, entry);
        return entry;
    }

    /** Enters a claim at its key, which has no node. */
    void add(Claim claim) {
        nodes.add(claim);
        count(claim.depth(), claim.targetMode(), 1);
    }

    /** Removes a claim that stands in the table itself. */
    void remove(Claim claim) {
        count(claim.depth(), claim.targetMode(), -1);
        nodes.remove(claim);
    }

    /** Forgets an entry without holders and waiters. */
    void dropIfUnused(LockEntry entry) {
        if (entry.isUnused()) {
            nodes.remove(entry);
        }
    }

    /** Calls for each key that is held or waited for. */
    void forEach(Consumer<KeyNode> action) {
        nodes.forEach(action);
    }

    // ---- intents off the table

    /** Counts a hold or a wait that came or went. */
    void count(int depth, LockMode mode, int change) {
        if (!mode.isIntent()) {
            strong[Math.min(depth, DEPTHS - 1)] += change;
        }
    }

    /** Whether the intents of a claim on a key of this depth may stay off the table now. */
    boolean leavesIntentsOff(int depth) {
        if (depth == 1) {
            return true; // it has none
        }
        if (claimsToUseTable > 0) {
            claimsToUseTable--;
            return false;
        }
        for (int i = Math.min(depth, DEPTHS) - 1; i > 0; i--) {
            if (strong[i] > 0) {
                return false;
            }
        }
        return true;
    }

    /** A claim on a key of this depth has left its intents off the table. */
    void leftIntentsOff(int depth) {
        if (depth > deepestOffTable && depth > 1) {
            deepestOffTable = depth;
        }
    }

    /** To be called before a key is locked: from then on the table has all that may conflict there. */
    void putIntentsOn(LockKey key, LockMode mode) {
        if (mode.isIntent() || deepestOffTable <= key.depth()) {
            return;
        }
        List<Claim> claims = new ArrayList<>();
        int[] seen = {0};
        forEach(node -> {
            seen[0]++;
            node.forEachHolding((claim, held) -> {
                if (claim.isOffTable()) {
                    claims.add(claim);
                }
            });
        });
        claims.forEach(claim -> claim.putIntentsOn(this));
        deepestOffTable = 0;
        claimsToUseTable = CLAIMS_PER_ENTRY * seen[0];
    }
}
