package dev.lockstep.cli.locks;

/** Where locks can be seen: a store, or a server. */
@FunctionalInterface
public interface LockSight {
    /** Who holds and who waits now. */
    Look look();
}
