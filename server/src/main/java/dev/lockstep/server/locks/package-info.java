/** Leases that clients hold over HTTP: taken, waited for, renewed, released, and forwarded to the server that keeps them. */
@NullMarked
package dev.lockstep.server.locks;

import org.jspecify.annotations.NullMarked;
