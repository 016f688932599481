package dev.lockstep.redis;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.testkit.Tenancy.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestServers;
import dev.lockstep.testservers.UsesServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Grants that meet other answers to the same request: a lease that was handed out is not taken back. */
@UsesServer(ServerKind.REDIS)
@Tag("once")
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
class LateAnswerTest {
    private static final int PAIRS = 60;
    private static final int ROUNDS = 4;
    private static final Duration WAIT = Duration.ofMinutes(3);

    @Test
    @DisplayName("a lease that is granted while its request looks for deadlocks stays granted")
    void grantMeetsTheLookForDeadlocks() throws Exception {
        String namespace = "late-" + ProcessHandle.current().pid();
        RedisLockStore store = RedisLockStore.at(TestServers.redis().url())
                .namespace(namespace)
                .answerWithin(Duration.ofSeconds(20))
                .createNamespace();
        Duration lasting = Duration.ofSeconds(30);
        try (Locks locks =
                Locks.builder(store).defaultTerm(lasting).defaultWait(WAIT).build()) {
            for (int round = 0; round < ROUNDS; round++) {
                List<Lease> held = new ArrayList<>();
                List<CompletableFuture<Lease>> waiting = new ArrayList<>();
                for (int i = 0; i < PAIRS; i++) {
                    LockKey early = user("early" + i);
                    LockKey late = user("late" + i);
                    held.add(locks.acquireAsync(exclusive(late)).join());
                    waiting.add(locks.acquireAsync(exclusive(early, late).within(WAIT)));
                }
                // The looks begin 300 ms after the waits: let the releases fall among them.
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
                for (Lease each : held) {
                    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(TimeUnit.MILLISECONDS.toNanos(3)));
                    assertThat(each.release()).isEqualTo(ReleaseOutcome.RELEASED);
                }
                for (CompletableFuture<Lease> each : waiting) {
                    Lease lease = each.get(WAIT.toSeconds(), TimeUnit.SECONDS);
                    lease.renew();
                    assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
                }
            }
            assertThat(locks.snapshot().isEmpty()).isTrue();
        }
    }

    @Test
    @DisplayName("an interrupted thread closes everything, and stays interrupted")
    void interruptedThreadCloses() {
        Realm realm = Realm.on(TestServers.redis(), Duration.ofSeconds(30), Duration.ofSeconds(30))
                .create();
        Locks closing = realm.locks();
        Lease lease = closing.acquire(exclusive(user("u1")));
        Thread.currentThread().interrupt();
        closing.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(lease.isHeld()).isFalse();
        try (Locks other = realm.locks()) {
            other.acquire(exclusive(user("u1"))).close();
        }
    }
}
