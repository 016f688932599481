/** Which rows and numbers a key locks on the server, and the queues of this process for each of them. Not part of the API. */
@NullMarked
package dev.lockstep.jdbc.slots;

import org.jspecify.annotations.NullMarked;
