/** The keys of requests: of declared kinds, or of any where none are declared. */
@NullMarked
package dev.lockstep.server.locks.keys;

import org.jspecify.annotations.NullMarked;
