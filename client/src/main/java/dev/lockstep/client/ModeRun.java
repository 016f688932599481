package dev.lockstep.client;

import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.spi.LockPlan;
import java.util.ArrayList;
import java.util.List;

/**
 * Consecutive locks of a plan that the server can take in one request: all shared or all exclusive. The server adds the intents itself. The request's
 * runs are acquired in the order of the plan, so a waiting request holds only what comes earlier.
 */
record ModeRun(LockMode mode, List<LockKey> keys) {
    static List<ModeRun> of(LockPlan plan) {
        List<ModeRun> runs = new ArrayList<>();
        List<LockKey> covered = new ArrayList<>();
        for (int i = 0; i < plan.size(); i++) {
            LockKey key = plan.key(i);
            LockMode mode = sent(plan.mode(i));
            if (mode.isIntent() || covered.stream().anyMatch(above -> above.isAncestorOf(key))) {
                continue;
            }
            if (plan.mode(i) == LockMode.SHARED_INTENT_EXCLUSIVE) {
                covered.add(key);
            }
            add(runs, key, mode);
        }
        return runs.isEmpty() ? List.of(intents(plan)) : runs;
    }

    /** Shared as a whole with something exclusive inside would be two leases in each other's way: exclusive as a whole. */
    private static LockMode sent(LockMode mode) {
        return mode == LockMode.SHARED_INTENT_EXCLUSIVE ? LockMode.EXCLUSIVE : mode;
    }

    private static void add(List<ModeRun> runs, LockKey key, LockMode mode) {
        if (runs.isEmpty() || runs.get(runs.size() - 1).mode() != mode) {
            runs.add(new ModeRun(mode, new ArrayList<>()));
        }
        runs.get(runs.size() - 1).keys().add(key);
    }

    /** Intents alone can't be sent: the last of them is locked as a whole, which excludes more and never less. */
    private static ModeRun intents(LockPlan plan) {
        int last = plan.size() - 1;
        boolean shared = plan.mode(last) == LockMode.INTENT_SHARED;
        return new ModeRun(shared ? LockMode.SHARED : LockMode.EXCLUSIVE, List.of(plan.key(last)));
    }

    String modeText() {
        return mode == LockMode.SHARED ? "shared" : "exclusive";
    }

    List<String> texts() {
        return keys.stream().map(LockKey::toString).toList();
    }
}
