package dev.lockstep.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.doctor.Diagnosis;
import dev.lockstep.core.doctor.Finding;
import dev.lockstep.core.doctor.Finding.Severity;
import dev.lockstep.redis.connection.Namespace;
import dev.lockstep.redis.doctor.AclRule;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.RedisCluster;
import dev.lockstep.testservers.TestServers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What those who run a cluster need to know. */
@Tag("slow")
@Tag("once")
@Timeout(300)
class ClusterOperationsTest {
    private static final LockRequest USER = LockRequest.exclusive(Tenancy.user("u1"));

    private final RedisCluster cluster = TestServers.redisCluster();
    private final String anyNode = cluster.urls().get(4); // a replica

    @Test
    void theDoctorLooksAtEveryMaster() {
        Diagnosis diagnosis = RedisDoctor.cluster(anyNode).examine();
        assertThat(diagnosis.isHealthy()).as(diagnosis.toString()).isTrue();
        assertThat(diagnosis.findings().get(0).what()).isEqualTo("The cluster has a master for every slot.");
        for (PrivateServer master : cluster.nodes().subList(0, 3)) {
            assertThat(diagnosis.findings())
                    .as(diagnosis.toString())
                    .filteredOn(each -> each.what().startsWith("127.0.0.1:" + master.port() + ": "))
                    .hasSizeGreaterThan(5)
                    .extracting(Finding::severity)
                    .doesNotContain(Severity.ERROR);
        }
    }

    @Test
    void theDoctorFindsAMasterThatEvicts() {
        try (RedisAdmin admin = new RedisAdmin(cluster.nodes().get(1))) {
            admin.run("CONFIG SET maxmemory-policy allkeys-lru");
            Diagnosis diagnosis = RedisDoctor.cluster(anyNode).examine();
            admin.run("CONFIG SET maxmemory-policy noeviction");
            assertThat(diagnosis.findings())
                    .filteredOn(each -> each.severity() == Severity.ERROR)
                    .singleElement()
                    .satisfies(each -> assertThat(each.what())
                            .contains("127.0.0.1:" + cluster.nodes().get(1).port())
                            .contains("allkeys-lru"));
        }
    }

    @Test
    void aClusterThatCantBeReachedIsAFinding() {
        Diagnosis diagnosis = RedisDoctor.cluster("redis://127.0.0.1:1").examine();
        assertThat(diagnosis.isHealthy()).isFalse();
        assertThat(diagnosis.toString()).contains("127.0.0.1:1");
    }

    @Test
    void aUserWithTheRightsOfTheRuleCanLock() {
        String rule = AclRule.ofCluster("clusteruser", new Namespace("rights")).whole();
        for (PrivateServer node : cluster.nodes()) {
            try (RedisAdmin admin = new RedisAdmin(node)) {
                assertThat(admin.run(rule)).containsExactly("OK");
            }
        }
        String url = anyNode.replace("redis://", "redis://clusteruser:password@");
        Diagnosis diagnosis = RedisDoctor.cluster(url).namespace("rights").examine();
        assertThat(diagnosis.isHealthy()).as(diagnosis.toString()).isTrue();
        try (RedisLockStore store = RedisLockStore.cluster(url)
                        .namespace("rights")
                        .answerWithin(ClusterRealm.PATIENT)
                        .createNamespace();
                Locks locks = Locks.on(store)) {
            try (Lease lease = locks.acquire(USER)) {
                lease.renew();
                assertThat(locks.snapshot().holders()).hasSize(1);
            }
            assertThat(store.removeNamespace()).isTrue();
        }
    }

    @Test
    void aNamespaceIsRemovedOnlyWhenItIsUnused() {
        ClusterRealm realm = ClusterRealm.on(cluster, Duration.ofSeconds(30), Duration.ofSeconds(10));
        RedisLockStore store = realm.store().answerWithin(ClusterRealm.PATIENT);
        try (Locks locks = realm.locks(store)) {
            try (Lease lease = locks.acquire(USER)) {
                assertThat(store.removeNamespace()).isFalse();
                lease.renew();
            }
            assertThat(store.removeNamespace()).isTrue();
        }
    }

    @Test
    void aNodeOfAClusterIsNoSingleServer() {
        assertThat(RedisDoctor.at(anyNode).examine().isHealthy()).isFalse();
        int misses = 0;
        for (String node : cluster.urls().subList(0, 3)) {
            try (Locks locks = Locks.on(RedisLockStore.at(node))) {
                assertThatThrownBy(() -> locks.tryAcquire(USER))
                        .isInstanceOf(LockException.class)
                        .hasMessageContaining("RedisLockStore.cluster(...)");
                misses++;
            }
        }
        assertThat(misses).isEqualTo(3);
    }

    @Test
    void aSingleServerIsNoCluster() {
        String url = TestServers.redis().url();
        try (Locks locks = Locks.on(RedisLockStore.cluster(url))) {
            assertThatThrownBy(() -> locks.tryAcquire(USER))
                    .isInstanceOf(LockException.class)
                    .hasMessageContaining("RedisLockStore.at(...)");
        }
        assertThat(RedisDoctor.cluster(url).examine().isHealthy()).isFalse();
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        for (String url : List.of("redis://host/3", "http://host")) {
            assertThatThrownBy(() -> RedisLockStore.cluster(url)).isInstanceOf(InvalidRequestException.class);
        }
        assertThatThrownBy(RedisLockStore::cluster).isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> RedisLockStore.cluster("redis://host").partitions(0))
                .isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> RedisLockStore.at("redis://host").partitions(8))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("RedisLockStore.cluster(...)");
    }
}
