package dev.lockstep.inventory;

/**
 * Receives events, one at a time. Alerts have their own queue; otherwise events come in order. A listener may throw or block without
 * harm to others: the events that it is too slow for are dropped and counted.
 */
@FunctionalInterface
public interface InventoryListener {
    /** Something happened. */
    void on(InventoryEvent event);
}
