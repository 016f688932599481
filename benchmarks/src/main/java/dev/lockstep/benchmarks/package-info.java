/** Lockstep and its peers, measured side by side. */
@NullMarked
package dev.lockstep.benchmarks;

import org.jspecify.annotations.NullMarked;
