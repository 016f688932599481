package dev.lockstep.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Lease;
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

/** A namespace that was made for a trial can be removed when the trial is over, and not before. */
@UsesServer(ServerKind.REDIS)
@Tag("once")
@Timeout(300)
class RemoveNamespaceTest {
    private static final LockRequest USER = LockRequest.exclusive(Tenancy.user("u1"));

    @Test
    void leavesNothingBehind(TestServer server) {
        Realm realm =
                Realm.on(server, Duration.ofMinutes(2), Duration.ofMinutes(1)).create();
        try (Locks locks = realm.locks()) {
            locks.run(USER, lease -> lease.ensureHeld());
        }
        try (RedisLockStore store = realm.store();
                RedisAdmin admin = new RedisAdmin(server)) {
            assertThat(admin.run("KEYS " + realm.memory() + "*")).isNotEmpty();
            assertThat(store.removeNamespace()).isTrue();
            assertThat(admin.run("KEYS " + realm.memory() + "*")).isEmpty();
        }
    }

    @Test
    void isNotRemovedWhileALockIsHeld(TestServer server) {
        Realm realm =
                Realm.on(server, Duration.ofMinutes(2), Duration.ofMinutes(1)).create();
        try (Locks locks = realm.locks();
                RedisLockStore store = realm.store()) {
            try (Lease lease = locks.acquire(USER)) {
                assertThat(store.removeNamespace()).isFalse();
                lease.renew(Duration.ofMinutes(1));
                assertThat(lease.isHeld()).isTrue();
            }
            assertThat(store.removeNamespace()).isTrue();
        }
    }
}
