/** The lock of a project folder: {@link dev.lockstep.projectlock.ProjectLock} and its leases and events. */
@NullMarked
package dev.lockstep.projectlock;

import org.jspecify.annotations.NullMarked;
