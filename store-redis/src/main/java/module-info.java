/** Locks on Redis. */
module dev.lockstep.redis {
    requires transitive dev.lockstep.core;
    requires static transitive org.jspecify;
    requires transitive lettuce.core;
    requires org.slf4j;
    requires reactor.core;

    exports dev.lockstep.redis;
}
