package dev.lockstep.redis;

import dev.lockstep.core.spi.LockPlan;
import dev.lockstep.core.spi.StoreGrant;
import java.util.List;

/** A lease that was granted, and the slices it is made of on the servers. */
record RedisGrant(String lease, List<Slice> slices, LockPlan plan, long token) implements StoreGrant {}
