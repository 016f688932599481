/** What the databases have in common and where they differ: connections, errors, names of tables. */
@NullMarked
package dev.lockstep.inventory.sql;

import org.jspecify.annotations.NullMarked;
