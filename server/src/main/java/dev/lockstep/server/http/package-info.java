/** What every request meets: the token, limits, headers, and how errors look. */
@NullMarked
package dev.lockstep.server.http;

import org.jspecify.annotations.NullMarked;
