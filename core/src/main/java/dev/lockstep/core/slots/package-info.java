/** Permits as one lock for each of them, and a lock that orders the waiters. Not part of the API. */
@NullMarked
package dev.lockstep.core.slots;

import org.jspecify.annotations.NullMarked;
