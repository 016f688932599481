/** The in-memory store: exact keys, five modes, first come first served. It uses nothing but the SPI. */
@NullMarked
package dev.lockstep.core.memory;

import org.jspecify.annotations.NullMarked;
