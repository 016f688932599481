package dev.lockstep.inventory;

/**
 * A line of the ledger in the feed of all changes.
 *
 * @param position its place in the feed, from which {@link Inventory#changes} continues
 */
public record LedgerChange(long position, LedgerEntry entry) {}
