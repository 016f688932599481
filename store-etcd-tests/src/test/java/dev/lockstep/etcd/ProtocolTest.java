package dev.lockstep.etcd;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.core.LockRequest.shared;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Busy;
import dev.lockstep.core.FencingToken;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.testkit.Tenancy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The edges of the protocol on etcd. */
@Tag("slow")
@Tag("once")
@Execution(ExecutionMode.CONCURRENT)
class ProtocolTest {
    private final Realm realm = Realm.shared();
    private final Locks locks = realm.locks();
    private final Locks other = realm.locks();
    private final LockKey key = Tenancy.user("u1");

    @AfterEach
    void nothingIsLeft() {
        locks.close();
        await().untilAsserted(() -> assertThat(other.snapshot().isEmpty()).isTrue());
        other.close();
    }

    private static LockKey[] users(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> Tenancy.user("user%04d".formatted(i)))
                .toArray(LockKey[]::new);
    }

    @ParameterizedTest
    @ValueSource(ints = {13, 14, 61, 250})
    @DisplayName("a set of any size is all or nothing, and waits at one lock after the other")
    void largeSets(int size) {
        LockKey[] all = users(0, size);
        Lease early = other.acquire(exclusive(all[size / 2]));
        Lease late = other.acquireAsync(exclusive(all[size - 1])).join();
        assertThat(locks.tryAcquire(exclusive(all))).isInstanceOf(Busy.class);
        CompletableFuture<Lease> set = locks.acquireAsync(exclusive(all).as("set"));
        awaitWaitsFor("set", all[size / 2]);
        early.close();
        awaitWaitsFor("set", all[size - 1]);
        assertThat(other.tryAcquire(exclusive(all[0]))).isInstanceOf(Busy.class);
        FencingToken lateToken = late.token();
        late.close();
        Lease lease = set.join();
        assertThat(lease.token()).isGreaterThan(lateToken);
        assertThat(other.snapshot().holders()).hasSize(size);
        lease.close();
    }

    private void awaitWaitsFor(String owner, LockKey awaited) {
        await().untilAsserted(() -> assertThat(other.snapshot().waiters()).anySatisfy(waiter -> {
            assertThat(waiter.owner()).isEqualTo(owner);
            assertThat(waiter.key()).isEqualTo(awaited);
        }));
    }

    @Test
    @DisplayName("waiting requests with short terms keep their places for longer than these, in order")
    void waitersAreKeptAlive() {
        Lease held = other.acquire(exclusive(key));
        List<CompletableFuture<Lease>> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            String owner = "waiter " + i;
            Locks party = i % 2 == 0 ? locks : other;
            waiting.add(party.acquireAsync(
                    exclusive(key).as(owner).forTerm(Duration.ofSeconds(2)).within(Duration.ofMinutes(2))));
            awaitWaitsFor(owner, key);
        }
        List<?> places = places();
        await().pollDelay(Duration.ofSeconds(7))
                .untilAsserted(() -> assertThat(places()).isEqualTo(places));
        held.close();
        for (CompletableFuture<Lease> each : waiting) {
            each.join().close();
        }
    }

    private List<?> places() {
        return other.snapshot().waiters().stream()
                .map(waiter -> waiter.leaseId() + " " + waiter.since())
                .sorted()
                .toList();
    }

    @Test
    @DisplayName("a writer waits for all readers that came before it, and passes none that comes later")
    void severalAhead() {
        Lease one = locks.acquire(shared(key));
        Lease two = other.acquire(shared(key));
        CompletableFuture<Lease> writer = locks.acquireAsync(exclusive(key).as("writer"));
        awaitWaitsFor("writer", key);
        CompletableFuture<Lease> reader = other.acquireAsync(shared(key).as("reader"));
        awaitWaitsFor("reader", key);
        two.close();
        awaitWaitsFor("writer", key);
        assertThat(writer).isNotDone();
        one.close();
        Lease written = writer.join();
        assertThat(reader).isNotDone();
        written.close();
        Lease read = reader.join();
        assertThat(read.token()).isGreaterThan(written.token());
        read.close();
    }

    @Test
    @DisplayName("a term longer than the namespace's longest is refused, and so is another longest term")
    void longestTerm() {
        assertThatThrownBy(() -> locks.acquire(exclusive(key).forTerm(Duration.ofMinutes(1))))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("longestTerm");
        locks.acquire(exclusive(key)).close();
        try (Locks different =
                realm.terms(Duration.ofSeconds(40), Duration.ofSeconds(5)).locks()) {
            assertThatThrownBy(() -> different.acquire(exclusive(key)))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("30000 ms");
        }
    }

    @Test
    @DisplayName("entries that are deleted by hand cost the waiter its place, not its lock")
    void tamperedEntries() {
        Lease held = other.acquire(exclusive(key));
        CompletableFuture<Lease> waiting = locks.acquireAsync(exclusive(key).as("waiter"));
        awaitWaitsFor("waiter", key);
        Tampering.deleteEntries(realm);
        Lease lease = waiting.join();
        assertThat(lease.isHeld()).isTrue();
        lease.close();
        held.close();
    }
}
