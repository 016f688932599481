package dev.lockstep.etcd;

import dev.lockstep.core.LockClock;

/** What all requests of a store share. */
record EtcdAcquisitionContext(
        EtcdClient client,
        NamespaceMemory memory,
        LeasePool leases,
        KeepAlives keepAlives,
        Watches watches,
        EntryDeadlockSearch cycles,
        EtcdTimer timer,
        LockClock clock) {
    EtcdNamespace namespace() {
        return memory.namespace();
    }
}
