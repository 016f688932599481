package dev.lockstep.inventory;

import java.time.Duration;
import java.util.Map;

/**
 * What an inventory has counted since its start.
 *
 * @param outcomes how many answers there were, by the simple name of their class
 * @param attempts transactions that were tried for one command alone, with a lock or without
 * @param conflicts how many of those met others
 * @param transactions transactions that were committed
 * @param commands how many commands those had in them
 * @param queued commands that wait for their turn in a lane now
 * @param refusedFromMemory reservations that were out of stock by what was remembered of the row
 * @param expiryLag how long the oldest expired reservation had been expired when the last sweep found it; zero if there was none
 * @param alerts alerts by the simple name of their class
 */
public record InventoryFigures(
        Map<String, Long> outcomes,
        long attempts,
        long conflicts,
        long transactions,
        long commands,
        int inFlight,
        int queued,
        long refusedFromMemory,
        Duration expiryLag,
        Map<String, Long> alerts) {}
