/** Stock over HTTP. */
@NullMarked
package dev.lockstep.server.inventory;

import org.jspecify.annotations.NullMarked;
