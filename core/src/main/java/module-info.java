/** Locks in one order on any store: the model, the in-memory store, leases, and the SPI for other stores. */
module dev.lockstep.core {
    requires static transitive org.jspecify;
    requires org.slf4j;

    exports dev.lockstep.core;
    exports dev.lockstep.core.concurrent;
    exports dev.lockstep.core.doctor;
    exports dev.lockstep.core.fallback;
    exports dev.lockstep.core.leadership;
    exports dev.lockstep.core.memory;
    exports dev.lockstep.core.permits;
    exports dev.lockstep.core.scheduling;
    exports dev.lockstep.core.spi;
}
