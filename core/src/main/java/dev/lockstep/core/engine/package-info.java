/** Between the API and the stores: plans, guards, watches, renews and releases leases. Not exported; {@link dev.lockstep.core.LocksBuilder} is the entry. */
@NullMarked
package dev.lockstep.core.engine;

import org.jspecify.annotations.NullMarked;
