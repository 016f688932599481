package dev.lockstep.server.locks;

import dev.lockstep.core.Lease;
import java.time.Duration;

/**
 * A lease that a client holds over HTTP.
 *
 * @param mode exclusive or shared
 * @param waited how long the client waited for it
 */
record DeskLease(Lease lease, String mode, Duration waited) {}
