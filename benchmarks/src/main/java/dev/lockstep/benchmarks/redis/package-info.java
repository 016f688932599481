/** Locks on Redis, beside Redisson's. */
@NullMarked
package dev.lockstep.benchmarks.redis;

import org.jspecify.annotations.NullMarked;
