/** Creating the rows to lock, and how long a cross join takes for them. */
@NullMarked
package dev.lockstep.benchmarks.provisioning;

import org.jspecify.annotations.NullMarked;
