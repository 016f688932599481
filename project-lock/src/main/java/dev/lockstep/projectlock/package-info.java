/** The lock of a project folder: {@link dev.lockstep.projectlock.ProjectLock} and what it hands out and tells. */
@NullMarked
package dev.lockstep.projectlock;

import org.jspecify.annotations.NullMarked;
