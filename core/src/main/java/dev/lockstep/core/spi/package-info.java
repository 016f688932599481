/** What a store implements, and what it is given to do so. */
@NullMarked
package dev.lockstep.core.spi;

import org.jspecify.annotations.NullMarked;
