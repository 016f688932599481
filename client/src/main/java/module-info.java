/** A store on a Lockstep server, for programs that can't or may not reach its database. */
module dev.lockstep.client {
    requires static transitive org.jspecify;
    requires transitive dev.lockstep.core;
    requires java.net.http;

    exports dev.lockstep.client;
}
