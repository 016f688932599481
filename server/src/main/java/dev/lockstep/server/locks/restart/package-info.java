/** When a server grants nothing, because clients may still count on leases from before its last stop. */
@NullMarked
package dev.lockstep.server.locks.restart;

import org.jspecify.annotations.NullMarked;
