package dev.lockstep.etcd;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Busy;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.core.fallback.FallbackStore;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.EtcdCluster;
import dev.lockstep.testservers.TestServers;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** etcd as the secondary of a pair. */
@Tag("slow")
@Tag("once")
@Execution(ExecutionMode.CONCURRENT)
class EtcdPairTest {
    private static final Duration TERM = Duration.ofSeconds(6);

    private final LockKey key = Tenancy.user("u1");

    private static Locks locks(Realm primary, Realm secondary) {
        FallbackStore pair = FallbackStore.of(
                        primary.store(Duration.ofSeconds(2)), secondary.store(Duration.ofSeconds(5)))
                .named("pair")
                .epochTerm(Duration.ofSeconds(5))
                .longestTerm(TERM)
                .unavailableAfter(Duration.ofSeconds(3));
        return Locks.builder(pair)
                .defaultTerm(TERM)
                .defaultWait(Duration.ofMinutes(3))
                .build();
    }

    @Test
    @DisplayName("locks move to etcd when the primary dies, and their tokens rise")
    void primaryDies() {
        Realm secondary = Realm.shared();
        try (EtcdCluster cluster = TestServers.startEtcd(1)) {
            pairSurvives(cluster, Realm.on(cluster.url()), secondary);
        }
    }

    private void pairSurvives(EtcdCluster cluster, Realm primary, Realm secondary) {
        try (Locks one = locks(primary, secondary);
                Locks two = locks(primary, secondary)) {
            Lease before = one.acquire(exclusive(key));
            before.close();
            cluster.members().get(0).kill();
            Lease after = one.acquire(exclusive(key));
            assertThat(after.token()).isGreaterThan(before.token());
            assertThat(two.tryAcquire(exclusive(key))).isInstanceOf(Busy.class);
            after.close();
            two.acquire(exclusive(key)).close();
        }
    }
}
