/** The statements that create the rows of the lock tables. Not part of the API. */
@NullMarked
package dev.lockstep.jdbc.provisioning;

import org.jspecify.annotations.NullMarked;
