package dev.lockstep.server.locks;

import dev.lockstep.core.LockRequest;

/**
 * A request that was checked.
 *
 * @param mode exclusive or shared, as the client wrote it
 */
record Ask(LockRequest request, String mode) {}
