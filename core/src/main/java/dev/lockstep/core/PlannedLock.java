package dev.lockstep.core;

/** One lock of a plan. */
public record PlannedLock(LockKey key, LockMode mode) {
    @Override
    public String toString() {
        return mode.symbol() + "(" + key + ")";
    }
}
