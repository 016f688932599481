/** How {@link dev.lockstep.spring.Locked} methods are found, checked and run. */
@NullMarked
package dev.lockstep.spring.locked;

import org.jspecify.annotations.NullMarked;
