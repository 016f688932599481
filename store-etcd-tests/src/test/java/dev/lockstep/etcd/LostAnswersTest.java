package dev.lockstep.etcd;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import dev.lockstep.core.Busy;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.etcd.rpc.LeaseRevokeRequest;
import dev.lockstep.etcd.rpc.RequestOp;
import dev.lockstep.etcd.rpc.TxnRequest;
import dev.lockstep.testkit.Tenancy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What becomes of locks when a call was carried out, or will be, and its response is lost. */
@Tag("slow")
@Tag("once")
@Execution(ExecutionMode.CONCURRENT)
class LostAnswersTest {
    private final Realm realm = Realm.shared();
    private final LossyNetwork network = new LossyNetwork();
    private final EtcdLockStore store = realm.store().intercepted(network);
    private final Locks locks = realm.locks(store);
    private final Locks other = realm.locks();
    private final LockKey key = Tenancy.resource("u1", "a1", "r1");

    @AfterEach
    void nothingIsLeft() {
        locks.close();
        await().untilAsserted(() -> assertThat(other.snapshot().isEmpty()).isTrue());
        other.close();
    }

    private boolean isTake(MessageLite request) {
        return request instanceof TxnRequest txn && hasKey(txn, "/state") && puts(txn);
    }

    private static boolean isGoOn(MessageLite request) {
        return request instanceof TxnRequest txn
                && txn.getSuccessCount() == 2
                && txn.getSuccess(0).hasRequestRange()
                && txn.getSuccess(1).hasRequestPut();
    }

    private static boolean isRelease(MessageLite request) {
        return request instanceof TxnRequest txn
                && txn.getCompareCount() == 0
                && txn.getSuccessCount() > 0
                && txn.getSuccess(0).hasRequestDeleteRange();
    }

    private static boolean isMove(MessageLite request) {
        return request instanceof TxnRequest txn
                && txn.getSuccessCount() > 0
                && txn.getSuccess(0).getRequestPut().getIgnoreValue();
    }

    private static boolean hasKey(TxnRequest txn, String end) {
        return txn.getCompareList().stream().anyMatch(each -> each.getKey().endsWith(ByteString.copyFromUtf8(end)));
    }

    private static boolean puts(TxnRequest txn) {
        return txn.getSuccessList().stream().anyMatch(RequestOp::hasRequestTxn);
    }

    @Test
    @DisplayName("a take whose response is lost is taken back and repeated, and holds once")
    void lostTake() {
        locks.acquire(exclusive(key)).close(); // the namespace is known
        network.loseAnswers(1, this::isTake);
        Lease lease = locks.acquire(exclusive(key));
        assertThat(network.left()).isZero();
        assertThat(other.tryAcquire(exclusive(key))).isInstanceOf(Busy.class);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        other.acquire(exclusive(key)).close();
    }

    @Test
    @DisplayName("a take that is carried out after its request has ended locks nothing")
    void lateTake() {
        locks.acquire(exclusive(key)).close();
        network.holdBack(1, this::isTake);
        Lease lease = locks.acquire(exclusive(key));
        lease.close();
        network.deliver();
        Lease next = other.acquire(exclusive(key));
        await().untilAsserted(() -> assertThat(other.snapshot().holders())
                .allMatch(held -> held.leaseId().equals(next.id())));
        next.close();
    }

    @Test
    @DisplayName("a request whose going on is not answered keeps its place and gets the lock")
    void lostGoOn() {
        Lease held = other.acquire(exclusive(key));
        CompletableFuture<Lease> first = locks.acquireAsync(exclusive(key).as("first"));
        awaitWaiting("first");
        CompletableFuture<Lease> second = other.acquireAsync(exclusive(key).as("second"));
        awaitWaiting("second");
        network.loseAnswers(1, LostAnswersTest::isGoOn);
        held.close();
        Lease lease = first.join();
        assertThat(network.left()).isZero();
        assertThat(second).isNotDone();
        assertThat(lease.token()).isGreaterThan(held.token());
        lease.close();
        assertThat(second.join().token()).isGreaterThan(lease.token());
        second.join().close();
    }

    @Test
    @DisplayName("going on that is carried out late changes nothing after the release")
    void lateGoOn() {
        Lease held = other.acquire(exclusive(key));
        CompletableFuture<Lease> first = locks.acquireAsync(exclusive(key).as("first"));
        awaitWaiting("first");
        network.holdBack(1, LostAnswersTest::isGoOn);
        held.close();
        first.join().close();
        network.deliver();
        other.acquire(exclusive(key)).close();
    }

    private void awaitWaiting(String owner) {
        await().untilAsserted(() -> assertThat(other.snapshot().waiters())
                .anyMatch(waiter -> waiter.owner().equals(owner)));
    }

    @Test
    @DisplayName("a release whose response is lost is repeated")
    void lostRelease() {
        Lease lease = locks.acquire(exclusive(key));
        network.loseAnswers(1, LostAnswersTest::isRelease);
        lease.close();
        assertThat(network.left()).isZero();
        other.acquire(exclusive(key)).close();
    }

    @Test
    @DisplayName("a repeated release whose first one was carried out in time counts as released")
    void repeatedRelease() throws Exception {
        StoreAnswer granted = store.acquire(new PlainRequest(exclusive(key), Duration.ofSeconds(20)));
        StoreGrant grant = (StoreGrant) granted;
        network.loseAnswers(1, LostAnswersTest::isRelease);
        assertThatThrownBy(() -> store.release(grant)).isInstanceOf(LockException.class);
        network.loseAnswers(1, LeaseRevokeRequest.class::isInstance);
        assertThatThrownBy(() -> store.release(grant)).isInstanceOf(LockException.class);
        assertThat(store.release(grant)).isTrue();
    }

    @Test
    @DisplayName("a renewal for longer whose response is lost is repeated, and a late one takes nothing away")
    void lostMove() {
        Lease lease = locks.acquire(exclusive(key).forTerm(Duration.ofSeconds(10)));
        network.holdBack(1, LostAnswersTest::isMove);
        try {
            lease.renew(Duration.ofSeconds(15));
        } catch (LockException e) {
            assertThat(e.retryable()).isTrue();
        }
        assertThat(network.left()).isZero();
        lease.renew(Duration.ofSeconds(15));
        lease.renew(Duration.ofSeconds(25));
        network.deliver();
        lease.renew(Duration.ofSeconds(25));
        assertThat(other.tryAcquire(exclusive(key))).isInstanceOf(Busy.class);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }
}
