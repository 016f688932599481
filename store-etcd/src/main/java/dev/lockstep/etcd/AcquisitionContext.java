package dev.lockstep.etcd;

import dev.lockstep.core.LockClock;

/** What all requests of a store share. */
record AcquisitionContext(
        EtcdClient client,
        NamespaceMemory memory,
        LeasePool leases,
        KeepAlives keepAlives,
        Watches watches,
        DeadlockSearch cycles,
        StoreTimer timer,
        LockClock clock) {
    Namespace namespace() {
        return memory.namespace();
    }
}
