/** One small {@code main} per feature, the demo, and the sources' own API as thin façades. */
@NullMarked
package dev.lockstep.examples;

import org.jspecify.annotations.NullMarked;
