/** At most n holders of one key at a time. */
@NullMarked
package dev.lockstep.core.permits;

import org.jspecify.annotations.NullMarked;
