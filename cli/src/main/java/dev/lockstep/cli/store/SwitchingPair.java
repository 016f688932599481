package dev.lockstep.cli.store;

import dev.lockstep.core.spi.LockStore;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** A pair of stores that a trial may make switch: nobody else uses it. */
@FunctionalInterface
public interface SwitchingPair {
    /** The pair as one more party has it, which reaches the primary by a line of its own; no lease is longer than this term. */
    LockStore store(UnaryOperator<LockStore> line, Duration term);
}
