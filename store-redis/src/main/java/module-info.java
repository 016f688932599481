/** Locks on Redis. */
module dev.lockstep.redis {
    requires transitive dev.lockstep.core;
    requires static transitive org.jspecify;
    requires transitive lettuce.core;
    requires io.netty.handler;
    requires io.netty.transport;
    requires org.slf4j;
    requires reactor.core;

    exports dev.lockstep.redis;
}
