package dev.lockstep.ordercheck;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The locks that a request needs, with the rules of core's plan: intents above, equal keys merged, what is covered from above left out, sorted by rank. */
final class PlanModel {
    private static final Comparator<LockModel> BY_RANK = Comparator.comparingInt(lock -> {
        KnownKind kind = lock.kind();
        return kind == null ? Integer.MAX_VALUE : kind.rank();
    });

    private PlanModel() {}

    static List<LockModel> of(RequestModel request) {
        List<LockModel> merged = new ArrayList<>();
        for (RequestModel.Wanted each : request.wanted()) {
            merge(merged, new LockModel(each.key(), each.weakest(), each.strongest(), true));
            for (int size = each.key().levels().size() - 1; size > 0; size--) {
                merge(
                        merged,
                        new LockModel(
                                each.key().ancestor(size),
                                each.weakest().intent(),
                                each.strongest().intent(),
                                true));
            }
        }
        List<LockModel> plan = new ArrayList<>();
        for (LockModel lock : merged) {
            Certainty covered = coveredFromAbove(lock, merged);
            if (!request.complete()
                    && (!lock.key().isKnown() || lock.key().levels().size() > 1)) {
                covered = covered.or(Certainty.MAYBE);
            }
            if (covered != Certainty.YES) {
                plan.add(lock.withSure(covered == Certainty.NO));
            }
        }
        plan.sort(BY_RANK);
        return List.copyOf(plan);
    }

    private static void merge(List<LockModel> merged, LockModel lock) {
        for (int i = 0; i < merged.size(); i++) {
            if (merged.get(i).key().isSame(lock.key()) == Certainty.YES) {
                merged.set(i, merged.get(i).joined(lock));
                return;
            }
        }
        merged.add(lock);
    }

    private static Certainty coveredFromAbove(LockModel lock, List<LockModel> merged) {
        Certainty covered = Certainty.NO;
        for (LockModel above : merged) {
            covered = covered.or(coversBelow(above, lock));
        }
        return covered;
    }

    /** Whether one lock makes another one below it unnecessary. */
    static Certainty coversBelow(LockModel above, LockModel lock) {
        if (!above.strongest().coversBelow(lock.weakest())) {
            return Certainty.NO;
        }
        Certainty stands = above.key().isAncestorOf(lock.key());
        return above.weakest().coversBelow(lock.strongest()) ? stands : stands.and(Certainty.MAYBE);
    }
}
