package dev.lockstep.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.doctor.Diagnosis;
import dev.lockstep.core.doctor.Finding;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.EtcdCluster;
import dev.lockstep.testservers.TestServers;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The doctor, users and errors on a real etcd. */
@Tag("slow")
@Tag("once")
@Execution(ExecutionMode.CONCURRENT)
class EtcdDoctorTest {
    @Test
    @DisplayName("a cluster that works is healthy, and the doctor leaves nothing behind")
    void healthy() {
        Realm realm = Realm.shared();
        EtcdDoctor doctor = EtcdDoctor.at(realm.url()).namespace(realm.namespace());
        Diagnosis first = doctor.examine();
        assertThat(first.isHealthy()).as("%s", first).isTrue();
        assertThat(doctor.examine().isHealthy()).isTrue();
        assertThat(first.findings()).extracting(Finding::what).anyMatch(what -> what.contains("Transactions"));
    }

    @Test
    @DisplayName("a member that does not respond is a finding, and locks on it fail in bounded time")
    void unreachable() {
        String nowhere = "etcd://127.0.0.1:1";
        Diagnosis diagnosis =
                EtcdDoctor.at(nowhere).answerWithin(Duration.ofSeconds(5)).examine();
        assertThat(diagnosis.errors())
                .singleElement()
                .satisfies(each -> assertThat(each.what()).contains("127.0.0.1:1"));
        try (Locks locks = Locks.on(EtcdLockStore.at(nowhere).answerWithin(Duration.ofSeconds(5)))) {
            assertThatThrownBy(() -> locks.tryAcquire(LockRequest.exclusive(Tenancy.user("u1"))))
                    .isInstanceOfSatisfying(
                            LockException.class,
                            error -> assertThat(error.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE));
        }
    }

    @Test
    @DisplayName(
            "a user may lock in the range that the documentation names, and the doctor says what is missing elsewhere")
    void users() {
        try (EtcdCluster cluster = TestServers.startEtcd(1)) {
            Users.enable(cluster.members().get(0).address(), "orders");
            try (Locks locks = Locks.on(
                    EtcdLockStore.at(cluster.url()).user("locks", "secret").namespace("orders"))) {
                locks.acquire(LockRequest.exclusive(Tenancy.user("u1"))).close();
            }
            assertThat(EtcdDoctor.at(cluster.url())
                            .user("locks", "secret")
                            .namespace("orders")
                            .examine()
                            .errors())
                    .isEmpty();
            assertThat(EtcdDoctor.at(cluster.url())
                            .user("locks", "secret")
                            .namespace("other")
                            .examine()
                            .errors())
                    .extracting(Finding::whatToDo)
                    .anyMatch(advice -> advice.contains("lockstep/other/ lockstep/other0"));
            try (Locks locks = Locks.on(
                    EtcdLockStore.at(cluster.url()).user("locks", "wrong").namespace("orders"))) {
                assertThatThrownBy(() -> locks.acquire(LockRequest.exclusive(Tenancy.user("u1"))))
                        .isInstanceOfSatisfying(LockException.class, error -> {
                            assertThat(error.code()).isEqualTo(ErrorCode.STORE_FAILED);
                            assertThat(error).hasMessageContaining("user");
                        });
            }
        }
    }
}
