/** The lock of a project folder that an application saves to by itself. */
module dev.lockstep.projectlock {
    requires transitive dev.lockstep.core;
    requires static transitive org.jspecify;
    requires org.slf4j;

    exports dev.lockstep.projectlock;
}
