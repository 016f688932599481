package dev.lockstep.redis;

import dev.lockstep.core.LockPlan;
import dev.lockstep.core.spi.StoreGrant;
import java.util.List;

/** A lease that was granted, and the parts it is made of on the servers. */
record RedisGrant(String lease, List<Part> parts, LockPlan plan, long token) implements StoreGrant {}
