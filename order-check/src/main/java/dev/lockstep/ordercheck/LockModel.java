package dev.lockstep.ordercheck;

import org.jspecify.annotations.Nullable;

/**
 * A lock that a request needs, or that is held for it.
 *
 * @param sure whether it is acquired in every run; otherwise another lock may make it unnecessary
 */
record LockModel(KeyModel key, ModeModel weakest, ModeModel strongest, boolean sure) {
    @Nullable
    KnownKind kind() {
        return key.kind();
    }

    LockModel withSure(boolean isSure) {
        return new LockModel(key, weakest, strongest, isSure);
    }

    LockModel joined(LockModel other) {
        return new LockModel(key, weakest.join(other.weakest), strongest.join(other.strongest), sure && other.sure);
    }

    boolean isTarget() {
        return !strongest.isIntent();
    }
}
