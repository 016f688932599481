package dev.lockstep.core.spi;

import java.time.Duration;

/** One lease to extend, and for how long from now on. */
public record Renewal(StoreGrant grant, Duration term) {}
