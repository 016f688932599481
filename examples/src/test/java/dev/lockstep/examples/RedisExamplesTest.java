package dev.lockstep.examples;

import static dev.lockstep.examples.LockType.CHARACTER;
import static dev.lockstep.examples.LockType.EQUIPMENT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Locks;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestServers;
import dev.lockstep.testservers.UsesServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Runs the examples for Redis on a real one. */
@UsesServer(ServerKind.REDIS)
@Tag("once")
@Timeout(300)
@Isolated("what examples print is read from System.out")
class RedisExamplesTest {
    @Test
    void redisLocks() throws Exception {
        assertThat(ExamplesTest.run("RedisLocks", TestServers.redis().url()))
                .satisfiesExactly(
                        closing -> assertThat(closing).matches("closing a1 under token 0\\.\\d{16}"),
                        waits -> assertThat(waits)
                                .startsWith("payment waits for user:u1/account:a1 behind ['close-account' (X since "),
                        paid -> assertThat(paid).isEqualTo("paid r1"),
                        both -> assertThat(both).isEqualTo("forth and back had both 100 times, no deadlock"));
    }

    @Test
    @DisplayName("deadlock_테스트_역순_Lock_획득")
    void reverseOrderInTwoProcesses() throws InterruptedException {
        LockType.LockKey character = new LockType.LockKey(CHARACTER, "A");
        LockType.LockKey equipment = new LockType.LockKey(EQUIPMENT, "B");
        String namespace = RedisPlaces.newNamespace();
        CountDownLatch bothDone = new CountDownLatch(2);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger successes = new AtomicInteger();
        Runnable action = () -> {
            assertThat(inside.incrementAndGet()).isEqualTo(1);
            Backstage.pause(Duration.ofMillis(100));
            inside.decrementAndGet();
            successes.incrementAndGet();
        };
        try (Locks here = patient(namespace);
                Locks there = patient(namespace)) {
            Backstage.start("forth", () -> {
                new OrderedLockManager(here).executeWithLocks(List.of(character, equipment), action);
                bothDone.countDown();
            });
            Backstage.start("back", () -> {
                new OrderedLockManager(there).executeWithLocks(List.of(equipment, character), action);
                bothDone.countDown();
            });
            assertThat(bothDone.await(120, TimeUnit.SECONDS)).isTrue();
            assertThat(successes).hasValue(2);
            assertThat(here.snapshot().isEmpty()).isTrue();
        }
    }

    private static Locks patient(String namespace) {
        return Locks.builder(RedisPlaces.store(namespace))
                .defaultTerm(Duration.ofSeconds(30))
                .defaultWait(Duration.ofSeconds(90))
                .build();
    }
}
