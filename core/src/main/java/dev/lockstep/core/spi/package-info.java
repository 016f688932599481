/** What a store implements, what it is given to do so, and what modules beside core share with it. */
@NullMarked
package dev.lockstep.core.spi;

import org.jspecify.annotations.NullMarked;
