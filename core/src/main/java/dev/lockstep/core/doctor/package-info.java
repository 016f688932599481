/** What the doctors of all stores report, and what they judge. */
@NullMarked
package dev.lockstep.core.doctor;

import org.jspecify.annotations.NullMarked;
