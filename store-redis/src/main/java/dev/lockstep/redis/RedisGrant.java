package dev.lockstep.redis;

import dev.lockstep.core.LockPlan;
import dev.lockstep.core.spi.StoreGrant;

/** A lease that the server granted. */
record RedisGrant(String lease, LockPlan plan, long token) implements StoreGrant {}
