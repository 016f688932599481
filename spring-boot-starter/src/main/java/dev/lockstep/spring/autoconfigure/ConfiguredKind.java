package dev.lockstep.spring.autoconfigure;

import dev.lockstep.core.LockKind;
import java.util.Optional;

/** A kind that was written in a configuration. */
record ConfiguredKind(String prefix, int rank, Optional<LockKind> parent, boolean leaf) implements LockKind {}
