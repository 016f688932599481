/** The tables of row locks on MySQL and MariaDB, and the settings and kinds that are recorded in them. Not part of the API. */
@NullMarked
package dev.lockstep.jdbc.tables;

import org.jspecify.annotations.NullMarked;
