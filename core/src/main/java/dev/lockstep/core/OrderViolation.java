package dev.lockstep.core;

import java.util.Optional;

/**
 * A lock asked for against the order, and the lock that was held before it.
 *
 * @param heldAt the line that took the held lock; empty when it was not recorded
 */
public record OrderViolation(
        PlannedLock asked,
        String askedBy,
        Optional<CallSite> askedAt,
        PlannedLock held,
        String heldBy,
        Optional<CallSite> heldAt) {
    /** Whether the same key is held in a weaker mode. */
    public boolean isUpgrade() {
        return asked.key().equals(held.key()) && !held.mode().covers(asked.mode());
    }

    @Override
    public String toString() {
        return asked + " was asked for by '" + askedBy + "' at " + place(askedAt) + " while " + held + " is held by '"
                + heldBy + "', taken at " + place(heldAt) + ". " + (isUpgrade() ? upgradeAdvice() : orderAdvice());
    }

    private String upgradeAdvice() {
        return "A lock can't be made stronger while it is held. Ask for "
                + asked.mode().symbol() + " in the outer request.";
    }

    private String orderAdvice() {
        return "Rank " + asked.key().rank() + " is not above rank " + held.key().rank()
                + ". Take both in one request, such as exclusive(a, b), or take the lower rank first.";
    }

    private static String place(Optional<CallSite> site) {
        return site.map(CallSite::toString).orElse("a place that was not recorded (set callSites(CallSites.ALWAYS))");
    }
}
