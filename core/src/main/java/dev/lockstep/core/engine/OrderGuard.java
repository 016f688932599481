package dev.lockstep.core.engine;

import dev.lockstep.core.OrderViolation;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.core.spi.LockPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a holder may still acquire. What its store leases already cover is not acquired again; the rest must rank strictly above
 * everything it holds, or two holders could each wait for the other. Called under the lock of the holder's stripe.
 */
final class OrderGuard {
    private OrderGuard() {}

    /**
     * What is left to acquire, and the outer store leases that cover the rest.
     *
     * @param violation set, still without the asking line, when what is left violates the order
     * @param held what the holder has already
     */
    record Admission(
            LockPlan rest, List<StoreLease> outer, @Nullable OrderViolation violation, List<StoreLease> held) {}

    static Admission admit(StoreLease request) {
        Holder holder = request.holder;
        LockPlan plan = request.plan();
        List<StoreLease> held = holder.leasesWithParents();
        held.removeIf(storeLease ->
                !storeLease.isAsking() && !storeLease.stands()); // what has expired is not held, noticed or not
        List<StoreLease> outer = new ArrayList<>();
        LockPlan rest = PlanCoverage.without(plan, lock -> covered(lock, held, outer));
        return new Admission(rest, outer, violation(rest, held, request), held);
    }

    private static boolean covered(PlannedLock lock, List<StoreLease> held, List<StoreLease> outer) {
        for (StoreLease storeLease : held) {
            if (PlanCoverage.covers(storeLease.plan(), lock) && storeLease.stands()) {
                if (!outer.contains(storeLease)) {
                    outer.add(storeLease);
                }
                return true;
            }
        }
        return false;
    }

    private static @Nullable OrderViolation violation(LockPlan rest, List<StoreLease> held, StoreLease request) {
        if (rest.isEmpty()) {
            return null;
        }
        for (StoreLease storeLease : held) {
            LockPlan plan = storeLease.plan();
            for (PlannedLock lock : rest.locks()) {
                Optional<PlannedLock> same = PlanCoverage.find(plan, lock.key());
                if (same.isPresent()) {
                    return violation(lock, request, same.get(), storeLease);
                }
            }
            if (rest.key(0).rank() <= PlanCoverage.topRank(plan)) {
                return violation(rest.locks().get(0), request, plan.locks().get(plan.size() - 1), storeLease);
            }
        }
        return null;
    }

    /** The same violation with the line that made the request. */
    static OrderViolation askedHere(OrderViolation found) {
        return new OrderViolation(
                found.asked(), found.askedBy(), CallSiteFinder.here(), found.held(), found.heldBy(), found.heldAt());
    }

    private static OrderViolation violation(
            PlannedLock asked, StoreLease request, PlannedLock held, StoreLease storeLease) {
        return new OrderViolation(
                asked, request.owner(), Optional.empty(), held, storeLease.owner(), storeLease.callSite());
    }
}
