/** Locks and stock over HTTP, and a live page. Start it with {@link dev.lockstep.server.LockstepServer}. */
@NullMarked
package dev.lockstep.server;

import org.jspecify.annotations.NullMarked;
