package dev.lockstep.core;

/** How {@link Locks#tryAcquire} ended: {@link Granted} or {@link Busy}. */
public sealed interface Attempt permits Granted, Busy {}
