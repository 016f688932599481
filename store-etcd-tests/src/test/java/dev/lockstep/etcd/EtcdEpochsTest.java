package dev.lockstep.etcd;

import dev.lockstep.core.spi.EpochRegister;
import dev.lockstep.testkit.EpochRegisterContract;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

/** The register of a pair on a real etcd. */
@Tag("slow")
@Tag("once")
class EtcdEpochsTest extends EpochRegisterContract {
    private final Realm realm = Realm.shared();
    private final List<EtcdLockStore> stores = new ArrayList<>();

    @Override
    protected EpochRegister open() {
        EtcdLockStore store = realm.store();
        stores.add(store);
        return store.epochs("pair").orElseThrow();
    }

    @Override
    protected int rounds() {
        return 20;
    }

    @AfterEach
    void close() {
        stores.forEach(EtcdLockStore::close);
    }
}
