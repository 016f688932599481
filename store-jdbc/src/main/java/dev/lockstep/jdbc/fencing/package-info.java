/** The table of the fencing guard. Not part of the API. */
@NullMarked
package dev.lockstep.jdbc.fencing;

import org.jspecify.annotations.NullMarked;
