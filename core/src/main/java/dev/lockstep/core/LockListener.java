package dev.lockstep.core;

/**
 * Receives events, one at a time and in order, on its own thread. It may throw or block without harm to anything but
 * itself: what it is too slow for is dropped and counted.
 */
@FunctionalInterface
public interface LockListener {
    /** Something happened. */
    void on(LockEvent event);
}
