package dev.lockstep.ordercheck;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A lease that is held at some place of the source.
 *
 * @param identity the same for one lease, whatever becomes known of it; the parameter that has it, for a lease of the caller's
 * @param request what was requested for it
 * @param locks what was acquired for it
 * @param complete whether it holds nothing else
 * @param sure whether it is held in every run
 * @param since where it was acquired, as a message continues after "is held"
 */
record HeldModel(
        Object identity,
        RequestModel request,
        List<LockModel> locks,
        boolean complete,
        HolderModel holder,
        LocksModel on,
        boolean sure,
        String since,
        CodeSite site) {
    /** A lease that is maybe held, and of which it is not known what it holds. */
    static HeldModel unknown(Object identity, HolderModel holder, String since, CodeSite site) {
        return new HeldModel(
                identity,
                RequestModel.unknown(null),
                List.of(),
                false,
                holder,
                LocksModel.unknown(),
                false,
                since,
                site);
    }

    boolean isSame(@Nullable HeldModel other) {
        return other != null && identity.equals(other.identity);
    }

    HeldModel unsure() {
        return sure ? new HeldModel(identity, request, locks, complete, holder, on, false, since, site) : this;
    }

    HeldModel withLocks(List<LockModel> acquired) {
        return new HeldModel(identity, request, acquired, complete, holder, on, sure, since, site);
    }

    /** Whether it, as far as is known, holds this kind or something that contains things of it. */
    boolean mayHold(KnownKind kind) {
        if (!complete) {
            return true;
        }
        return locks.stream()
                .filter(LockModel::isTarget)
                .map(LockModel::kind)
                .anyMatch(held -> held == null || kind.chain().stream().anyMatch(held::isSame));
    }
}
