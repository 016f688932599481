package dev.lockstep.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestServer;
import dev.lockstep.testservers.UsesServer;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A namespace can be made to lose its memory, as in a restart, without anything being done to others. */
@UsesServer(ServerKind.REDIS)
@Tag("once")
@Timeout(300)
class SimulatedRestartTest {
    private static final LockRequest USER = LockRequest.exclusive(Tenancy.user("u1"));

    private static Realm realm(TestServer server) {
        return Realm.on(server, Duration.ofMinutes(5), Duration.ofMinutes(1)).create();
    }

    @Test
    void forgetsLeasesAndGrantsNothing(TestServer server) {
        Realm realm = realm(server);
        try (Locks holder = realm.locks();
                Locks other = realm.locks();
                RedisLockStore store = realm.store()) {
            Lease lease = holder.acquire(USER.forTerm(Duration.ofSeconds(30)));
            store.simulateRestart();

            assertThatThrownBy(() -> other.tryAcquire(USER)).isInstanceOfSatisfying(LockException.class, e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
                assertThat(e).hasMessageContaining("restarted or replaced");
            });
            assertThat(other.snapshot().holders()).isEmpty();
            assertThatThrownBy(lease::renew).isInstanceOf(LeaseLostException.class);
            assertThat(store.removeNamespace()).isTrue();
        }
    }

    @Test
    void leavesOtherNamespacesAlone(TestServer server) {
        Realm other = realm(server);
        try (Locks locks = other.locks();
                RedisLockStore store = realm(server).store();
                RedisAdmin admin = new RedisAdmin(server)) {
            Lease lease = locks.acquire(USER);
            String before = admin.run("HGETALL " + other.memory()).toString();
            store.simulateRestart();

            assertThat(admin.run("HGETALL " + other.memory())).hasToString(before);
            lease.renew();
            lease.close();
            assertThat(store.removeNamespace()).isTrue();
        }
    }
}
