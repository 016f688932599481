/** What {@code lockstep serve} turns its options into: where the server listens, where it keeps locks and stock, what it says. */
@NullMarked
package dev.lockstep.cli.serve;

import org.jspecify.annotations.NullMarked;
