/** For tests of locks: the contract of every store, a movable clock, an event probe, a faulty store, an exclusion checker. */
module dev.lockstep.testkit {
    requires transitive dev.lockstep.core;
    requires transitive dev.lockstep.projectlock;
    requires static transitive org.jspecify;
    requires transitive org.junit.jupiter.api;
    requires org.assertj.core;

    exports dev.lockstep.testkit;

    opens dev.lockstep.testkit to
            org.junit.platform.commons;
}
