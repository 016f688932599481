package dev.lockstep.core.spi;

/** How an acquire ended: with a grant, without one in time, or as part of a deadlock. */
public sealed interface StoreAnswer permits StoreGrant, StoreBusy, StoreDeadlock {}
