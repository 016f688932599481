/** The lock model, {@link dev.lockstep.core.Locks} and what it hands out: leases, events, snapshots, errors. */
@NullMarked
package dev.lockstep.core;

import org.jspecify.annotations.NullMarked;
