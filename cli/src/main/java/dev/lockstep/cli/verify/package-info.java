/** {@code lockstep verify}: the table of behaviours that locks must show, tried on a real store. */
@NullMarked
package dev.lockstep.cli.verify;

import org.jspecify.annotations.NullMarked;
