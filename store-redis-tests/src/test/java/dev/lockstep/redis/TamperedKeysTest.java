package dev.lockstep.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestServers;
import dev.lockstep.testservers.UsesServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Somebody takes single keys away by hand. What was locked by them is nobody's fault; that it can be locked again is ours. */
@UsesServer(ServerKind.REDIS)
@Tag("once")
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
class TamperedKeysTest {
    private static final Duration TERM = Duration.ofMinutes(1);
    private static final LockRequest RESOURCE =
            LockRequest.exclusive(Tenancy.resource("u1", "a1", "r1")).within(Duration.ofMinutes(3));

    private final Realm realm = Realm.on(TestServers.redis(), TERM, TERM).create();

    private void run(String command) {
        try (RedisAdmin admin = new RedisAdmin(TestServers.redis())) {
            admin.run(command);
        }
    }

    private static void assertCanBeLocked(Locks locks) {
        for (int i = 0; i < 2; i++) {
            assertThat(locks.tryAcquire(RESOURCE))
                    .isInstanceOfSatisfying(
                            Granted.class,
                            granted -> assertThat(granted.lease().release()).isEqualTo(ReleaseOutcome.RELEASED));
        }
        assertThat(locks.snapshot().isEmpty()).isTrue();
    }

    @Test
    void aLockThatWasDeletedWhileItWasHeld() {
        try (Locks holder = realm.locks();
                Locks other = realm.locks()) {
            Lease lease = holder.acquire(RESOURCE);
            run("DEL " + realm.memory() + ":lock:user:u1/account:a1/resource:r1");
            lease.close();
            assertCanBeLocked(other);
        }
    }

    @Test
    void aLeaseThatWasDeletedWhileItWasHeld() {
        try (Locks holder = realm.locks();
                Locks other = realm.locks()) {
            Lease lease = holder.acquire(RESOURCE);
            run("HDEL " + realm.memory() + ":leases " + lease.id());
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.LOST);
            assertCanBeLocked(other);
        }
    }

    @Test
    void allLeasesWereDeletedWhileARequestWaited() throws Exception {
        try (Locks holder = realm.locks();
                Locks other = realm.locks()) {
            Lease lease = holder.acquire(RESOURCE);
            CompletableFuture<Lease> waiting = other.acquireAsync(RESOURCE);
            Awaitility.await().until(() -> !holder.snapshot().waiters().isEmpty());
            run("DEL " + realm.memory() + ":leases");
            waiting.get(4, TimeUnit.MINUTES).close();
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.LOST);
            assertCanBeLocked(other);
        }
    }

    @Test
    void aQueueHasAMemberThatNamesNoLease() throws Exception {
        try (Locks holder = realm.locks();
                Locks other = realm.locks()) {
            Lease lease = holder.acquire(RESOURCE);
            run("ZADD " + realm.memory() + ":queue:user:u1/account:a1/resource:r1 1 nonsense");
            CompletableFuture<Lease> waiting = other.acquireAsync(RESOURCE);
            Awaitility.await().until(() -> !holder.snapshot().waiters().isEmpty());
            lease.close();
            waiting.get(4, TimeUnit.MINUTES).close();
            assertCanBeLocked(other);
        }
    }

    @Test
    void theQueueWasDeletedWhileARequestWaited() throws Exception {
        try (Locks holder = realm.locks();
                Locks other = realm.locks()) {
            Lease lease = holder.acquire(RESOURCE);
            CompletableFuture<Lease> waiting = other.acquireAsync(RESOURCE);
            Awaitility.await().until(() -> !holder.snapshot().waiters().isEmpty());
            run("DEL " + realm.memory() + ":queue:user:u1/account:a1/resource:r1");
            lease.close();
            waiting.get(4, TimeUnit.MINUTES).close();
            assertCanBeLocked(other);
        }
    }
}
