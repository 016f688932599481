/** What happens on this server: kept for a while, told to listeners, and summed up. */
@NullMarked
package dev.lockstep.server.events;

import org.jspecify.annotations.NullMarked;
