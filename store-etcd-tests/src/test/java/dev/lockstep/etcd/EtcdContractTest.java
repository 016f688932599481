package dev.lockstep.etcd;

import dev.lockstep.core.spi.LockStore;
import dev.lockstep.testkit.LockStoreContract;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The contract on a real etcd of three members; the second party has connections of its own. */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class EtcdContractTest extends LockStoreContract {
    private final Realm realm = Realm.shared();

    @Override
    protected LockStore createStore() {
        return realm.store();
    }

    @Override
    protected LockStore secondStore(LockStore first) {
        return realm.store();
    }
}
