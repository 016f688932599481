/** Locks on Redis. */
@NullMarked
package dev.lockstep.redis;

import org.jspecify.annotations.NullMarked;
