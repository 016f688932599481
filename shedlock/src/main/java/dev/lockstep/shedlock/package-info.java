/** Lockstep as a lock provider of ShedLock. */
@NullMarked
package dev.lockstep.shedlock;

import org.jspecify.annotations.NullMarked;
