/** Executes commands: strategies, batches, look-ups, housekeeping. */
@NullMarked
package dev.lockstep.inventory.engine;

import org.jspecify.annotations.NullMarked;
