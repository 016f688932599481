/** The {@code lockstep} command: one class for each of its verbs. */
@NullMarked
package dev.lockstep.cli;

import org.jspecify.annotations.NullMarked;
