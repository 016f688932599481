/** Many leases, renewed on a store that is slow. */
@NullMarked
package dev.lockstep.benchmarks.leases;

import org.jspecify.annotations.NullMarked;
