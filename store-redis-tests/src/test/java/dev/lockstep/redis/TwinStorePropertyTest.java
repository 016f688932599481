package dev.lockstep.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.Locks;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.core.WaitingLock;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.TestServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;

/**
 * Does the same on Redis and in memory, whose store is proven against a model of its own, and finds the same requests granted, waiting and
 * refused after every step. On Redis the requests come from two stores in turn, as from two processes.
 */
@Tag("slow")
@Tag("once")
class TwinStorePropertyTest {
    private static final AtomicInteger REQUESTS = new AtomicInteger();
    private static final AtomicInteger NAMESPACES = new AtomicInteger();
    private static final List<LockKey> KEYS = List.of(
            Tenancy.user("u1"),
            Tenancy.account("u1", "a1"),
            Tenancy.account("u1", "a2"),
            Tenancy.resource("u1", "a1", "r1"),
            Tenancy.resource("u1", "a1", "r2"),
            Tenancy.user("u2"));

    /** What is done in one step; {@code pick} chooses among the requests that there are. */
    private record Step(Kind kind, List<Integer> keys, List<Boolean> shared, int pick) {
        LockRequest request(String owner) {
            LockRequest request = one(0);
            for (int i = 1; i < keys.size(); i++) {
                LockKey key = KEYS.get(keys.get(i));
                request = shared.get(i) ? request.andShared(key) : request.andExclusive(key);
            }
            return request.as(owner).within(Duration.ofMinutes(10));
        }

        private LockRequest one(int i) {
            LockKey key = KEYS.get(keys.get(i));
            return shared.get(i) ? LockRequest.shared(key) : LockRequest.exclusive(key);
        }
    }

    private enum Kind {
        ASK,
        ASK_BRIEFLY,
        TRY,
        RELEASE,
        CANCEL
    }

    /** One request on both stores. */
    private record Twins(String owner, CompletableFuture<Lease> inMemory, CompletableFuture<Lease> onRedis) {
        /** Whether both have told by now what has become of it. */
        boolean know(Set<String> waiting) {
            boolean granted = !waiting.contains(owner);
            return inMemory.isDone() == granted && onRedis.isDone() == granted;
        }
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        Arbitrary<List<Integer>> keys = Arbitraries.integers()
                .between(0, KEYS.size() - 1)
                .list()
                .ofMinSize(1)
                .ofMaxSize(3)
                .uniqueElements();
        Arbitrary<Kind> kinds = Arbitraries.of(
                Kind.ASK, Kind.ASK, Kind.ASK, Kind.ASK_BRIEFLY, Kind.TRY, Kind.RELEASE, Kind.RELEASE, Kind.CANCEL);
        return Combinators.combine(
                        kinds,
                        keys,
                        Arbitraries.of(true, false).list().ofSize(3),
                        Arbitraries.integers().between(0, 1_000))
                .as(Step::new)
                .list()
                .ofMinSize(5)
                .ofMaxSize(40);
    }

    @Property(tries = 40, shrinking = ShrinkingMode.BOUNDED)
    void redisDoesWhatMemoryDoes(@ForAll("steps") List<Step> steps) {
        play(steps);
    }

    @Property(tries = 1_000, shrinking = ShrinkingMode.BOUNDED)
    @Tag("long")
    void redisDoesWhatMemoryDoesManyTimes(@ForAll("steps") List<Step> steps) {
        play(steps);
    }

    private static RedisLockStore store(String namespace) {
        return RedisLockStore.at(TestServers.redis().url())
                .namespace(namespace)
                .answerWithin(Duration.ofSeconds(20)); // a machine may stand still
    }

    /** With leases that last longer than a machine stands still. */
    private static Locks locks(LockStore store) {
        return Locks.builder(store).defaultTerm(Duration.ofSeconds(30)).build();
    }

    private static void play(List<Step> steps) {
        String namespace = "twin-" + ProcessHandle.current().pid() + "-" + NAMESPACES.incrementAndGet();
        RedisLockStore store = store(namespace);
        store.createNamespace();
        try (Locks memory = locks(MemoryStore.create());
                Locks redis = locks(store);
                Locks elsewhere = locks(store(namespace))) {
            List<Twins> open = new ArrayList<>();
            for (Step step : steps) {
                take(step, memory, open.size() % 2 == 0 ? redis : elsewhere, open);
                awaitSame(memory, redis, open, step);
            }
            end(memory, redis, open);
            assertThat(redis.snapshot().isEmpty()).isTrue();
        }
    }

    /** Every lock that someone holds or waits for, and for whom. */
    private static List<String> sight(Locks locks) {
        LockSnapshot snapshot = locks.snapshot();
        return Stream.concat(
                        snapshot.holders().stream()
                                .map(each ->
                                        each.owner() + " holds " + each.mode().symbol() + " " + each.key()),
                        snapshot.waiters().stream()
                                .map(each ->
                                        each.owner() + " waits " + each.mode().symbol() + " " + each.key()))
                .sorted()
                .toList();
    }

    private static void awaitSame(Locks memory, Locks redis, List<Twins> open, Object step) {
        Set<String> waiting =
                memory.snapshot().waiters().stream().map(WaitingLock::owner).collect(Collectors.toSet());
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(1))
                .pollDelay(Duration.ZERO)
                .untilAsserted(() -> {
                    assertThat(sight(redis)).as("after %s", step).isEqualTo(sight(memory));
                    assertThat(open).as("after %s", step).allMatch(each -> each.know(waiting));
                });
    }

    private static void take(Step step, Locks memory, Locks redis, List<Twins> open) {
        switch (step.kind()) {
            case ASK -> {
                String owner = "request " + REQUESTS.incrementAndGet();
                LockRequest request = step.request(owner);
                open.add(new Twins(owner, memory.acquireAsync(request), redis.acquireAsync(request)));
            }
            case ASK_BRIEFLY -> {
                CompletableFuture<Lease> asked = redis.acquireAsync(step.request("brief"));
                LockSupport.parkNanos(step.pick() * 1_000L); // so that the end meets it anywhere
                if (!asked.cancel(true)) {
                    asked.join().close();
                }
            }
            case TRY -> tryBoth(step, memory, redis);
            case RELEASE ->
                pick(
                                step,
                                open.stream()
                                        .filter(each -> each.inMemory().isDone())
                                        .toList())
                        .forEach(each -> {
                            open.remove(each);
                            assertThat(each.inMemory().join().release()).isEqualTo(ReleaseOutcome.RELEASED);
                            assertThat(each.onRedis().join().release()).isEqualTo(ReleaseOutcome.RELEASED);
                        });
            case CANCEL ->
                pick(
                                step,
                                open.stream()
                                        .filter(each -> !each.inMemory().isDone())
                                        .toList())
                        .forEach(each -> {
                            open.remove(each);
                            assertThat(each.inMemory().cancel(true)).isTrue();
                            assertThat(each.onRedis().cancel(true)).isTrue();
                        });
        }
    }

    private static List<Twins> pick(Step step, List<Twins> among) {
        return among.isEmpty() ? List.of() : List.of(among.get(step.pick() % among.size()));
    }

    private static void tryBoth(Step step, Locks memory, Locks redis) {
        assertThat(tryOne(redis, step)).isEqualTo(tryOne(memory, step));
    }

    private static boolean tryOne(Locks locks, Step step) {
        if (locks.tryAcquire(step.request("now or never").withoutWaiting()) instanceof Granted granted) {
            granted.lease().close();
            return true;
        }
        return false;
    }

    private static void end(Locks memory, Locks redis, List<Twins> open) {
        while (!open.isEmpty()) {
            Twins done = open.stream()
                    .filter(each -> each.inMemory().isDone())
                    .findFirst()
                    .orElseThrow();
            open.remove(done);
            done.inMemory().join().close();
            done.onRedis().join().close();
            awaitSame(memory, redis, open, "closing one");
        }
    }
}
