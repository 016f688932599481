package dev.lockstep.core.slots;

import dev.lockstep.core.Lease;

/**
 * A slot and the lease on it.
 *
 * @param since when the store granted it, in nanoseconds of the clock
 */
record HeldSlot(int slot, Lease lease, long since) {}
