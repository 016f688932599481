package dev.lockstep.inventory;

/**
 * Is told of events, one at a time and in order, on a thread of its own. It may throw or block without harm to anyone but
 * itself: what it is too slow for is dropped and counted.
 */
@FunctionalInterface
public interface InventoryListener {
    /** Something happened. */
    void on(InventoryEvent event);
}
