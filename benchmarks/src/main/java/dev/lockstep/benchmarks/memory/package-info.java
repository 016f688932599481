/** Locks in memory, beside those of the JDK and Guava, with JMH. */
@NullMarked
package dev.lockstep.benchmarks.memory;

import org.jspecify.annotations.NullMarked;
