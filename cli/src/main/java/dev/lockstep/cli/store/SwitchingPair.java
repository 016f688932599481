package dev.lockstep.cli.store;

import dev.lockstep.core.spi.LockStore;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** A pair of stores that a trial may make switch: nothing else uses it. */
@FunctionalInterface
public interface SwitchingPair {
    /** The pair as one more party has it, which reaches the primary by its own line; no lease is longer than this term. */
    LockStore store(UnaryOperator<LockStore> line, Duration term);
}
