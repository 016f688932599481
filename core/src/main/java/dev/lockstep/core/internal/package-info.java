/** What more than one package of core needs and users must not see: not exported. */
@NullMarked
package dev.lockstep.core.internal;

import org.jspecify.annotations.NullMarked;
