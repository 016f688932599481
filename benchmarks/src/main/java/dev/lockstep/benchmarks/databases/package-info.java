/** Locks on databases, beside those of peers. */
@NullMarked
package dev.lockstep.benchmarks.databases;

import org.jspecify.annotations.NullMarked;
