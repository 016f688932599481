/** Addresses, names of keys and the handshake with a server. */
@NullMarked
package dev.lockstep.redis.connection;

import org.jspecify.annotations.NullMarked;
