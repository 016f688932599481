/** The check of the lock order while compiling. */
@NullMarked
package dev.lockstep.ordercheck;

import org.jspecify.annotations.NullMarked;
