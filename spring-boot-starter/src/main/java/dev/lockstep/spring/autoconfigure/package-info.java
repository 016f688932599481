/** Makes locks and stock of an application's settings, and of the DataSource or the Redis connection that it has. */
@NullMarked
package dev.lockstep.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
