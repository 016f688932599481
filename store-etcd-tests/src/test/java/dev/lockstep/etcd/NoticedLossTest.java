package dev.lockstep.etcd;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.etcd.rpc.TxnRequest;
import dev.lockstep.testkit.Tenancy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Between the moment in which a process notices that etcd has lost its memory, and the one in which that is recorded. */
@Tag("slow")
@Tag("once")
@Execution(ExecutionMode.CONCURRENT)
class NoticedLossTest {
    private static final int MANY = 1_000_000;

    private final Realm realm = Realm.shared();
    private final LossyNetwork network = new LossyNetwork();
    private final EtcdLockStore store = realm.store().intercepted(network);
    private final LockKey key = Tenancy.user("u1");

    private boolean recordsGeneration(MessageLite request) {
        ByteString state = new EtcdNamespace(realm.namespace()).state();
        return request instanceof TxnRequest txn
                && txn.getSuccessList().stream()
                        .anyMatch(each -> each.getRequestPut().getKey().equals(state));
    }

    /** The store notices a loss that it can't record. */
    private void noticeLoss() {
        network.holdBack(MANY, this::recordsGeneration);
        assertThatThrownBy(store::simulateRestore).isInstanceOf(LockException.class);
    }

    @Test
    @DisplayName("a renewal then revokes nothing that another process waits for")
    void renewal() throws Exception {
        try (store;
                Locks other = realm.locks()) {
            StoreGrant held = (StoreGrant) store.acquire(new PlainRequest(exclusive(key), realm.term()));
            CompletableFuture<Lease> waiting = other.acquireAsync(exclusive(key));
            await().until(() -> other.snapshot().waiters().size() == 1);
            noticeLoss();
            List<Renewal> renewals = List.of(new Renewal(held, realm.term()));
            assertThatThrownBy(() -> store.renew(renewals)).isInstanceOf(LockException.class);
            assertThat(other.snapshot().holders()).hasSize(1);
            assertThat(other.snapshot().waiters()).hasSize(1);
            waiting.cancel(true);
        }
    }

    @Test
    @DisplayName("a request that was queued before is not granted")
    void waiter() {
        try (Locks locks = realm.locks(store);
                Locks other = realm.locks()) {
            Lease held = other.acquire(exclusive(key));
            CompletableFuture<Lease> waiting = locks.acquireAsync(exclusive(key));
            await().until(() -> other.snapshot().waiters().size() == 1);
            noticeLoss();
            int before = network.left();
            held.close();
            await().until(() -> network.left() < before || waiting.isDone());
            assertThat(waiting).isNotDone();
            waiting.cancel(true);
        }
    }
}
