package dev.lockstep.core.spi;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.core.internal.ApiAccess;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which locks a request needs, in the order in which they are taken. The only place that knows the lock rules: ancestors
 * get intents, keys that meet are merged into the least upper bound of their modes, what an ancestor in the same plan
 * covers is left out, and the rest is sorted.
 */
public final class LockPlan {
    private static final ApiAccess API = ApiAccess.get();

    /** Several locks, sorted by their keys. */
    private static final class Several {
        static final Several NONE = new Several(new LockKey[0], new LockMode[0]);

        final LockKey[] keys;
        final LockMode[] modes;

        Several(LockKey[] keys, LockMode[] modes) {
            this.keys = keys;
            this.modes = modes;
        }
    }

    // The plan of one thing is the path to it and needs no arrays: most plans are of that kind.
    private final @Nullable LockKey target;
    private final LockMode targetMode;
    private final Several several;

    private LockPlan(LockKey target, LockMode mode) {
        this.target = target;
        targetMode = mode;
        several = Several.NONE;
    }

    private LockPlan(LockKey[] keys, LockMode[] modes) {
        target = null;
        targetMode = LockMode.EXCLUSIVE;
        several = new Several(keys, modes);
    }

    /** The plan for a request. */
    public static LockPlan of(LockRequest request) {
        return API.size(request) == 1 ? new LockPlan(API.key(request, 0), API.mode(request, 0)) : ofMany(request);
    }

    private static LockPlan ofMany(LockRequest request) {
        Map<LockKey, LockMode> merged = new HashMap<>();
        for (int i = 0; i < API.size(request); i++) {
            LockKey key = API.key(request, i);
            LockMode mode = API.mode(request, i);
            merged.merge(key, mode, LockMode::join);
            for (int up = 1; up < key.depth(); up++) {
                merged.merge(key.ancestor(up), mode.intent(), LockMode::join);
            }
        }
        List<PlannedLock> locks = new ArrayList<>(merged.size());
        merged.forEach((key, mode) -> {
            if (!coveredFromAbove(key, mode, merged)) {
                locks.add(new PlannedLock(key, mode));
            }
        });
        locks.sort((one, other) -> one.key().compareTo(other.key()));
        return of(locks);
    }

    private static boolean coveredFromAbove(LockKey key, LockMode mode, Map<LockKey, LockMode> merged) {
        for (int up = 1; up < key.depth(); up++) {
            LockMode above = merged.get(key.ancestor(up));
            if (above != null && above.coversBelow(mode)) {
                return true;
            }
        }
        return false;
    }

    /** A plan of locks that are already merged and sorted; rejects any that aren't. */
    public static LockPlan of(List<PlannedLock> sorted) {
        LockKey[] keys = new LockKey[sorted.size()];
        LockMode[] modes = new LockMode[keys.length];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = sorted.get(i).key();
            modes[i] = sorted.get(i).mode();
            if (i > 0 && keys[i - 1].compareTo(keys[i]) >= 0) {
                throw new InvalidRequestException("'" + keys[i] + "' stands behind '" + keys[i - 1]
                        + "' in a plan. Sort the keys and name each once.");
            }
        }
        return new LockPlan(keys, modes);
    }

    /** Whether it is the way to one key: intents on its ancestors from the top down, and then the key. */
    public boolean isPath() {
        return target != null;
    }

    /** How many locks there are. */
    public int size() {
        return target != null ? target.depth() : several.keys.length;
    }

    /** Whether there is nothing to take. */
    public boolean isEmpty() {
        return size() == 0;
    }

    /** The key of the lock at this place. */
    public LockKey key(int index) {
        return target != null ? target.ancestor(target.depth() - 1 - index) : several.keys[index];
    }

    /** The hash code of the key at this place. */
    public int hash(int index) {
        return target != null ? API.ancestorHash(target, target.depth() - 1 - index) : several.keys[index].hashCode();
    }

    /** The topmost key above the key at this place. */
    public LockKey root(int index) {
        return target != null ? target.root() : several.keys[index].root();
    }

    /** The hash code of the topmost key above the key at this place. */
    public int rootHash(int index) {
        return target != null ? target.rootHash() : several.keys[index].rootHash();
    }

    /** The mode of the lock at this place. */
    public LockMode mode(int index) {
        if (target == null) {
            return several.modes[index];
        }
        return index == target.depth() - 1 ? targetMode : targetMode.intent();
    }

    /** The same keys, none of them exclusive: what is held as a whole is shared, and all intents are shared. */
    public LockPlan shared() {
        if (target != null) {
            return new LockPlan(target, LockMode.SHARED);
        }
        LockMode[] weaker = new LockMode[several.modes.length];
        for (int i = 0; i < weaker.length; i++) {
            weaker[i] = several.modes[i].isIntent() ? LockMode.INTENT_SHARED : LockMode.SHARED;
        }
        return new LockPlan(several.keys, weaker);
    }

    /** The locks in the order in which they are taken. */
    public List<PlannedLock> locks() {
        List<PlannedLock> locks = new ArrayList<>(size());
        for (int i = 0; i < size(); i++) {
            locks.add(new PlannedLock(key(i), mode(i)));
        }
        return locks;
    }

    @Override
    public String toString() {
        return locks().toString();
    }
}
