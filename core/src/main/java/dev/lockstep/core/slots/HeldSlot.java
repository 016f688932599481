package dev.lockstep.core.slots;

import dev.lockstep.core.Lease;

/** A slot and the lease on it. */
record HeldSlot(int slot, Lease lease) {}
