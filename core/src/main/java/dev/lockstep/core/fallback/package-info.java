/** A pair of stores, of which one stands in for the other without two holders at a time. */
@NullMarked
package dev.lockstep.core.fallback;

import org.jspecify.annotations.NullMarked;
