/** One leader for each key. */
@NullMarked
package dev.lockstep.core.leadership;

import org.jspecify.annotations.NullMarked;
