/** Simulated work, so that a newcomer sees the page live. */
@NullMarked
package dev.lockstep.server.demo;

import org.jspecify.annotations.NullMarked;
