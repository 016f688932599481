package dev.lockstep.core.engine;

import dev.lockstep.core.LockKey;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.core.spi.LockPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Compares plans: which locks of one are unnecessary while another is held. */
final class PlanCoverage {
    private PlanCoverage() {}

    /** The rest of a plan without the locks that are covered. */
    static LockPlan without(LockPlan plan, Predicate<PlannedLock> covered) {
        List<PlannedLock> rest = new ArrayList<>(plan.locks());
        return rest.removeIf(covered) ? LockPlan.of(rest) : plan;
    }

    /** Whether holding a plan makes acquiring {@code lock} unnecessary. */
    static boolean covers(LockPlan plan, PlannedLock lock) {
        if (find(plan, lock.key()).filter(own -> own.mode().covers(lock.mode())).isPresent()) {
            return true;
        }
        for (int up = 1; up < lock.key().depth(); up++) {
            LockKey above = lock.key().ancestor(up);
            if (find(plan, above)
                    .filter(own -> own.mode().coversBelow(lock.mode()))
                    .isPresent()) {
                return true;
            }
        }
        return false;
    }

    /** The lock of a plan on a key. */
    static Optional<PlannedLock> find(LockPlan plan, LockKey key) {
        for (int low = 0, high = plan.size() - 1; low <= high; ) {
            int middle = (low + high) >>> 1;
            int order = plan.key(middle).compareTo(key);
            if (order == 0) {
                return Optional.of(new PlannedLock(key, plan.mode(middle)));
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return Optional.empty();
    }

    /** The highest rank in a plan, which must not be empty. */
    static int topRank(LockPlan plan) {
        return plan.key(plan.size() - 1).rank();
    }
}
