/** What more than one package of core needs and nobody else should: not exported. */
@NullMarked
package dev.lockstep.core.internal;

import org.jspecify.annotations.NullMarked;
