package dev.lockstep.etcd;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.Scale;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many leases and many waiting requests of one process: streams and threads stay few, and none is lost. */
@Tag("slow")
@Tag("once")
class CrowdTest {
    private static final int AT_A_TIME = 200;
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private final Realm realm = Realm.shared();

    private static LockKey user(int number) {
        return Tenancy.user("user" + number);
    }

    @Test
    @DisplayName("many leases are renewed by few threads, and none is lost")
    void manyLeases() {
        int count = Scale.pick(300, 20_000);
        Duration held = Duration.ofSeconds(Scale.pick(20, 300));
        Realm brief = realm.terms(Duration.ofSeconds(30), Duration.ofSeconds(Scale.pick(15, 30)));
        try (Locks locks = brief.locks()) {
            List<Lease> leases = new ArrayList<>();
            List<CompletableFuture<Lease>> asked = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                asked.add(locks.acquireAsync(exclusive(user(i))));
                if (asked.size() == AT_A_TIME || i == count - 1) {
                    asked.forEach(each -> leases.add(each.join()));
                    asked.clear();
                }
            }
            int threads = Thread.activeCount();
            await().pollDelay(held)
                    .atMost(LIMIT)
                    .untilAsserted(() -> assertThat(leases).allMatch(Lease::isHeld));
            assertThat(Thread.activeCount()).isLessThan(threads + 40);
            leases.forEach(Lease::close);
        }
    }

    @Test
    @DisplayName("many requests that wait for one key get it one after the other, and close() ends those that are left")
    void manyWaiters() {
        int count = Scale.pick(200, 10_000);
        try (Locks holder = realm.locks()) {
            Lease held = holder.acquire(exclusive(user(0)));
            Locks locks = realm.locks();
            List<CompletableFuture<Lease>> waiting = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                waiting.add(locks.acquireAsync(exclusive(user(0)).within(LIMIT)));
            }
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(holder.snapshot().waiters()).hasSize(count));
            held.close();
            for (int served = 0; served < 20; served++) {
                CompletableFuture.anyOf(waiting.toArray(CompletableFuture[]::new))
                        .join();
                CompletableFuture<Lease> next = waiting.stream()
                        .filter(CompletableFuture::isDone)
                        .findFirst()
                        .orElseThrow();
                next.join().close();
                waiting.remove(next);
            }
            locks.close();
            await().atMost(LIMIT).until(() -> waiting.stream().allMatch(CompletableFuture::isDone));
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(holder.snapshot().isEmpty()).isTrue());
        }
    }
}
