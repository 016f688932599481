package dev.lockstep.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a holder may still take. What its grips already cover is not taken again; the rest must rank strictly above
 * everything it holds, or two holders could each wait for the other. Called under the lock of the holder's page.
 */
final class OrderGuard {
    private OrderGuard() {}

    /**
     * What is left to take, and the outer grips that cover the rest.
     *
     * @param violation set, still without the asking line, when what is left goes against the order
     */
    record Admission(
            LockPlan rest, List<Grip> outer, @Nullable OrderViolation violation) {}

    static Admission admit(Holder holder, LockPlan plan, Ask ask) {
        if (holder.holdsNothing()) {
            return new Admission(plan, List.of(), null);
        }
        List<Grip> held = holder.grips();
        held.removeIf(
                grip -> !grip.isAsking() && !grip.stands()); // what is over is not held, even if nobody noticed yet
        List<Grip> outer = new ArrayList<>();
        LockPlan rest = plan.without(lock -> covered(lock, held, outer));
        return new Admission(rest, outer, violation(rest, held, ask));
    }

    private static boolean covered(PlannedLock lock, List<Grip> held, List<Grip> outer) {
        for (Grip grip : held) {
            if (grip.plan().covers(lock) && grip.stands()) {
                if (!outer.contains(grip)) {
                    outer.add(grip);
                }
                return true;
            }
        }
        return false;
    }

    private static @Nullable OrderViolation violation(LockPlan rest, List<Grip> held, Ask ask) {
        if (rest.isEmpty()) {
            return null;
        }
        for (Grip grip : held) {
            LockPlan plan = grip.plan();
            for (PlannedLock lock : rest.locks()) {
                Optional<PlannedLock> same = plan.find(lock.key());
                if (same.isPresent()) {
                    return violation(lock, ask, same.get(), grip);
                }
            }
            if (rest.key(0).rank() <= plan.topRank()) {
                return violation(rest.locks().get(0), ask, plan.locks().get(plan.size() - 1), grip);
            }
        }
        return null;
    }

    private static OrderViolation violation(PlannedLock asked, Ask ask, PlannedLock held, Grip grip) {
        return new OrderViolation(asked, ask.owner(), Optional.empty(), held, grip.owner(), grip.callSite());
    }
}
