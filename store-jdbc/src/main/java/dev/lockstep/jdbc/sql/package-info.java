/** Connections, statements and errors of JDBC, used by all other packages of this module. Not part of the API. */
@NullMarked
package dev.lockstep.jdbc.sql;

import org.jspecify.annotations.NullMarked;
