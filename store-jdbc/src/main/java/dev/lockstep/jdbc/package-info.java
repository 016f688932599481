/** Locks on databases: rows of MySQL and MariaDB, advisory locks of PostgreSQL. */
@NullMarked
package dev.lockstep.jdbc;

import org.jspecify.annotations.NullMarked;
