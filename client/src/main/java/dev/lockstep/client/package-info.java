/** Locks of a server over HTTP: a store whose every request goes to the server. */
@NullMarked
package dev.lockstep.client;

import org.jspecify.annotations.NullMarked;
