/** Real MySQL, MariaDB, PostgreSQL and Redis servers for tests. {@link dev.lockstep.testservers.TestServers} starts them. */
@NullMarked
package dev.lockstep.testservers;

import org.jspecify.annotations.NullMarked;
