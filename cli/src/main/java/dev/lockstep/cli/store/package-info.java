/** What {@code --store} names: the memory of this process, a database, a Redis. */
@NullMarked
package dev.lockstep.cli.store;

import org.jspecify.annotations.NullMarked;
