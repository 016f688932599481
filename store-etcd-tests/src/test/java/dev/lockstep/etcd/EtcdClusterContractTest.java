package dev.lockstep.etcd;

import dev.lockstep.core.spi.LockStore;
import dev.lockstep.testkit.ClusterContract;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Permits, leadership and tasks once per cluster on a real etcd of three members. */
@Tag("slow")
@Tag("once")
@Execution(ExecutionMode.CONCURRENT)
class EtcdClusterContractTest extends ClusterContract {
    private final Realm realm = Realm.shared();

    @Override
    protected LockStore createStore() {
        return realm.store();
    }

    @Override
    protected LockStore secondStore() {
        return realm.store();
    }
}
