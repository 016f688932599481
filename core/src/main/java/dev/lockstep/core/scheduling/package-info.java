/** Tasks that run on one node of a cluster. */
@NullMarked
package dev.lockstep.core.scheduling;

import org.jspecify.annotations.NullMarked;
