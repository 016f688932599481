/** Locks on Redis. */
module dev.lockstep.redis {
    requires transitive dev.lockstep.core;
    requires static transitive org.jspecify;
    requires transitive lettuce.core;
    requires org.slf4j;

    exports dev.lockstep.redis;
}
