/** Stock reservations that never oversell, on the database that is already there. */
@NullMarked
package dev.lockstep.inventory;

import org.jspecify.annotations.NullMarked;
