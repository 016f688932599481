package dev.lockstep.core.spi;

import dev.lockstep.core.DeadlockReport;

/** The request was failed to end a cycle of waits. */
public record StoreDeadlock(DeadlockReport report) implements StoreAnswer {}
