/** Lockstep and its peers, measured side by side: a package for each run, all of which use {@code measure}. */
@NullMarked
package dev.lockstep.benchmarks;

import org.jspecify.annotations.NullMarked;
