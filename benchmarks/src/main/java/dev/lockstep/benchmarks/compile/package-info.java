/** The compiler with the check of the lock order, and without it. */
@NullMarked
package dev.lockstep.benchmarks.compile;

import org.jspecify.annotations.NullMarked;
