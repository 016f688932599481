package dev.lockstep.core.memory;

import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.internal.BriefLock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

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
 */

/** A part of the lock table under one lock: the keys of some trees, while they are held or waited for. */
final class Shard extends BriefLock {
    private static final int DEPTHS = 8;
    private static final int CLAIMS_PER_ENTRY = 8;

    private final KeyTable entries = new KeyTable();

    /** How many holds and waits there are, at each depth, that intents may conflict with; deeper ones count at the last. */
    private final int[] strong = new int[DEPTHS];

    /** No claim of a greater depth has its intents off the table. */
    private int deepestOffTable;

    private int claimsToUseTable;

    /** The entry of a key, created when there is none. */
    LockEntry obtain(LockKey key, int hash) {
        LockEntry entry = entries.find(key, hash);
        if (entry == null) {
            entry = new LockEntry(this, key, hash);
            entries.add(entry);
        }
        return entry;
    }

    /** Forgets an entry without holders and waiters. */
    void dropIfUnused(LockEntry entry) {
        if (entry.isUnused()) {
            entries.remove(entry);
        }
    }

    void forEach(Consumer<LockEntry> action) {
        entries.forEach(action);
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
        deepestOffTable = Math.max(deepestOffTable, depth);
    }

    /** To be called before a key is locked: from then on the table has all that may conflict there. */
    void putIntentsOn(LockKey key, LockMode mode) {
        if (mode.isIntent() || deepestOffTable <= key.depth()) {
            return;
        }
        List<Claim> claims = new ArrayList<>();
        int[] seen = {0};
        entries.forEach(entry -> {
            seen[0]++;
            entry.forEachHolder(hold -> {
                if (hold.claim.isOffTable()) {
                    claims.add(hold.claim);
                }
            });
        });
        claims.forEach(claim -> claim.putIntentsOn(this));
        deepestOffTable = 0;
        claimsToUseTable = CLAIMS_PER_ENTRY * seen[0];
    }
}
