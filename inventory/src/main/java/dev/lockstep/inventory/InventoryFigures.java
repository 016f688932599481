package dev.lockstep.inventory;

import java.util.Map;

/**
 * What an inventory has counted since its start.
 *
 * @param outcomes how many answers there were, by the simple name of their class
 * @param attempts transactions that were tried for one command alone, with a lock or without
 * @param conflicts how many of those met others
 * @param transactions transactions that were committed
 * @param commands how many commands those had in them
 * @param alerts alerts by the simple name of their class
 */
public record InventoryFigures(
        Map<String, Long> outcomes,
        long attempts,
        long conflicts,
        long transactions,
        long commands,
        int inFlight,
        Map<String, Long> alerts) {}
