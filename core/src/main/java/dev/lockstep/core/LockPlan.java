package dev.lockstep.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Which locks a request needs, in the order in which they are taken. The only place that knows the lock rules: ancestors
 * get intents, keys that meet are merged into the least upper bound of their modes, what an ancestor in the same plan
 * covers is left out, and the rest is sorted.
 */
public final class LockPlan {
    private final LockKey[] keys;
    private final LockMode[] modes;

    private LockPlan(LockKey[] keys, LockMode[] modes) {
        this.keys = keys;
        this.modes = modes;
    }

    /** The plan for a request. */
    public static LockPlan of(LockRequest request) {
        return request.size() == 1 ? ofOne(request.key(0), request.mode(0)) : ofMany(request);
    }

    private static LockPlan ofOne(LockKey key, LockMode mode) {
        int depth = key.depth();
        LockKey[] keys = new LockKey[depth];
        LockMode[] modes = new LockMode[depth];
        keys[depth - 1] = key;
        modes[depth - 1] = mode;
        LockMode intent = mode.intent();
        for (int i = depth - 2; i >= 0; i--) {
            keys[i] = keys[i + 1].ancestor(1);
            modes[i] = intent;
        }
        return new LockPlan(keys, modes);
    }

    private static LockPlan ofMany(LockRequest request) {
        Map<LockKey, LockMode> merged = new HashMap<>();
        for (int i = 0; i < request.size(); i++) {
            LockKey key = request.key(i);
            LockMode mode = request.mode(i);
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
        LockKey[] keys = sorted.stream().map(PlannedLock::key).toArray(LockKey[]::new);
        for (int i = 1; i < keys.length; i++) {
            if (keys[i - 1].compareTo(keys[i]) >= 0) {
                throw new InvalidRequestException("'" + keys[i] + "' stands behind '" + keys[i - 1]
                        + "' in a plan. Sort the keys and name each once.");
            }
        }
        return new LockPlan(keys, sorted.stream().map(PlannedLock::mode).toArray(LockMode[]::new));
    }

    /** What is left of this plan when some of its locks need not be taken. */
    LockPlan without(Predicate<PlannedLock> covered) {
        List<PlannedLock> rest = new ArrayList<>(locks());
        return rest.removeIf(covered) ? of(rest) : this;
    }

    /** Whether holding this plan makes taking {@code lock} unnecessary. */
    boolean covers(PlannedLock lock) {
        if (find(lock.key()).filter(own -> own.mode().covers(lock.mode())).isPresent()) {
            return true;
        }
        for (int up = 1; up < lock.key().depth(); up++) {
            LockKey above = lock.key().ancestor(up);
            if (find(above).filter(own -> own.mode().coversBelow(lock.mode())).isPresent()) {
                return true;
            }
        }
        return false;
    }

    /** The lock of this plan on a key. */
    Optional<PlannedLock> find(LockKey key) {
        int index = Arrays.binarySearch(keys, key);
        return index < 0 ? Optional.empty() : Optional.of(new PlannedLock(key, modes[index]));
    }

    /** How many locks there are. */
    public int size() {
        return keys.length;
    }

    /** Whether there is nothing to take. */
    public boolean isEmpty() {
        return keys.length == 0;
    }

    /** The key of the lock at this place. */
    public LockKey key(int index) {
        return keys[index];
    }

    /** The mode of the lock at this place. */
    public LockMode mode(int index) {
        return modes[index];
    }

    /** The highest rank in the plan, which must not be empty. */
    int topRank() {
        return keys[keys.length - 1].rank();
    }

    /** The locks in the order in which they are taken. */
    public List<PlannedLock> locks() {
        List<PlannedLock> locks = new ArrayList<>(keys.length);
        for (int i = 0; i < keys.length; i++) {
            locks.add(new PlannedLock(keys[i], modes[i]));
        }
        return locks;
    }

    @Override
    public String toString() {
        return locks().toString();
    }
}
