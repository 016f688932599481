package dev.lockstep.ordercheck;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides as the order guard of core does, of what the source says: what is certain in every run is an error, and what only the ids can decide is
 * reported as possible.
 */
final class GuardModel {
    private GuardModel() {}

    /** A lock that is requested against the order, and the lock that is held meanwhile. */
    record Conflict(LockModel asked, LockModel held, HeldModel lease) {
        /** Whether the same thing is held in a weaker mode. */
        boolean isUpgrade() {
            return asked.key().isSame(held.key()) == Certainty.YES
                    && !held.strongest().covers(asked.weakest());
        }
    }

    /**
     * What the guard decides.
     *
     * @param rest what is left to acquire
     */
    record Decision(
            List<LockModel> rest,
            @Nullable Conflict certain,
            @Nullable Conflict possible) {}

    /**
     * Decides on a request.
     *
     * @param held the leases that may cover what is requested
     * @param blamed those of them that may stand against it
     */
    static Decision decide(RequestModel request, LocksModel on, List<HeldModel> held, List<HeldModel> blamed) {
        List<LockModel> rest = new ArrayList<>();
        Conflict certain = null;
        Conflict possible = null;
        for (LockModel lock : PlanModel.of(request)) {
            Certainty covered = covered(lock, on, held);
            if (covered == Certainty.YES) {
                continue;
            }
            rest.add(lock.withSure(lock.sure() && covered == Certainty.NO));
            for (HeldModel lease : blamed) {
                if (!lease.sure() || !lease.on().isSurelySame(on)) {
                    continue;
                }
                if (certain == null && covered == Certainty.NO) {
                    certain = conflict(lock, lease, true);
                }
                if (possible == null) {
                    possible = conflict(lock, lease, false);
                }
            }
        }
        return new Decision(List.copyOf(rest), certain, possible);
    }

    private static Certainty covered(LockModel lock, LocksModel on, List<HeldModel> held) {
        Certainty covered = Certainty.NO;
        for (HeldModel lease : held) {
            Certainty byLease = coveredBy(lock, lease);
            boolean isSure = lease.sure() && lease.on().isSurelySame(on);
            covered = covered.or(isSure ? byLease : byLease.and(Certainty.MAYBE));
        }
        return covered;
    }

    private static Certainty coveredBy(LockModel lock, HeldModel lease) {
        Certainty covered = lease.complete() ? Certainty.NO : Certainty.MAYBE;
        ModeModel strongest = null;
        for (LockModel own : lease.locks()) {
            Certainty same = own.key().isSame(lock.key());
            if (same != Certainty.NO) {
                strongest = strongest == null ? own.strongest() : strongest.join(own.strongest());
            }
            Certainty here = PlanModel.coversBelow(own, lock);
            if (same == Certainty.YES && own.weakest().covers(lock.strongest())) {
                here = Certainty.YES;
            }
            covered = covered.or(here); // also where it is not sure: what covers it then covers this, too
        }
        boolean may = strongest != null && strongest.covers(lock.weakest());
        return may ? covered.or(Certainty.MAYBE) : covered;
    }

    /** The highest lock of a lease that stands against this one. */
    private static @Nullable Conflict conflict(LockModel asked, HeldModel lease, boolean certain) {
        Conflict found = null;
        for (LockModel held : lease.locks()) {
            if ((held.sure() || !certain) && standsAgainst(held, asked)) {
                found = new Conflict(asked, held, lease);
                if (found.isUpgrade()) {
                    return found;
                }
            }
        }
        return found;
    }

    private static boolean standsAgainst(LockModel held, LockModel asked) {
        KnownKind heldKind = held.kind();
        KnownKind askedKind = asked.kind();
        if (heldKind == null || askedKind == null) {
            return held.key().isSame(asked.key()) == Certainty.YES;
        }
        return askedKind.rank() <= heldKind.rank();
    }
}
