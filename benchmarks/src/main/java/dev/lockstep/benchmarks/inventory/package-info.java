/** Ways to sell one stock and many, side by side. */
@NullMarked
package dev.lockstep.benchmarks.inventory;

import org.jspecify.annotations.NullMarked;
