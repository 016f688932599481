package dev.lockstep.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Blocker;
import dev.lockstep.core.Estate;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.core.memory.QueueModel.Entry;
import dev.lockstep.core.memory.QueueModel.Had;
import dev.lockstep.core.memory.QueueModel.State;
import dev.lockstep.core.memory.QueueModel.Waits;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreBusy;
import dev.lockstep.core.spi.StoreGrant;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.Tuple;

@Label("histories of the in-memory store against a naive model")
@PropertyDefaults(edgeCases = EdgeCasesMode.NONE)
@Tag("once") // its subject is the model
class MemoryStorePropertyTest {
    enum Verb {
        TRY,
        ASK,
        CANCEL,
        RELEASE,
        NEXT_EVENT,
        HALF_WAY,
        RENEW
    }

    /** One step: what to do, to which of the requests so far, and what a new request asks for. */
    record Step(Verb verb, int pick, List<Thing> things) {}

    record Thing(int key, boolean exclusive) {
        @Override
        public String toString() {
            return (exclusive ? "X" : "S") + key;
        }
    }

    private static final List<LockKey> KEYS = keys();

    private static List<LockKey> keys() {
        LockKey user = Estate.USER.key("u");
        LockKey account = user.child(Estate.ACCOUNT, "a");
        return List.of(
                user,
                account,
                user.child(Estate.ACCOUNT, "b"),
                account.child(Estate.RESOURCE, "r"),
                account.child(Estate.RESOURCE, "s"),
                Estate.ITEM.key("i"),
                Estate.ITEM.key("j"),
                Estate.USER.key("v"));
    }

    @Property(tries = 1_000)
    @Label("agree step by step")
    void agree(@ForAll("histories") List<Step> steps) throws InterruptedException {
        play(steps);
    }

    @Property(tries = 20_000)
    @Tag("long")
    @Label("agree step by step, many times")
    void agreeOften(@ForAll("histories") List<Step> steps) throws InterruptedException {
        play(steps);
    }

    private static final Queue<Throwable> UNCAUGHT = new ConcurrentLinkedQueue<>();

    private static void play(List<Step> steps) throws InterruptedException {
        Thread.setDefaultUncaughtExceptionHandler((thread, error) -> UNCAUGHT.add(error));
        try (Play play = new Play()) {
            for (Step step : steps) {
                if (!play.step(step)) {
                    return; // two things happen at the same moment, and their order is nobody's business
                }
                play.compare(step);
            }
            play.end();
        }
        assertThat(UNCAUGHT).as("errors that ended the store's own thread").isEmpty();
    }

    @Provide
    Arbitrary<List<Step>> histories() {
        Arbitrary<Verb> verb = Arbitraries.frequency(
                Tuple.of(3, Verb.TRY),
                Tuple.of(8, Verb.ASK),
                Tuple.of(2, Verb.CANCEL),
                Tuple.of(5, Verb.RELEASE),
                Tuple.of(2, Verb.NEXT_EVENT),
                Tuple.of(1, Verb.HALF_WAY),
                Tuple.of(1, Verb.RENEW));
        Arbitrary<Thing> thing = Combinators.combine(
                        Arbitraries.integers().between(0, KEYS.size() - 1), Arbitraries.of(true, false))
                .as(Thing::new);
        return Combinators.combine(
                        verb,
                        Arbitraries.integers().between(0, 9),
                        thing.list().ofMinSize(1).ofMaxSize(3))
                .as(Step::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(40);
    }

    /** A store and the model, going the same way. */
    private static final class Play implements AutoCloseable {
        private final MovedClock clock = new MovedClock();
        private final MemoryStore store = MemoryStore.on(clock);
        private final QueueModel model = new QueueModel();
        private final Map<Entry, CompletableFuture<StoreAnswer>> answers = new HashMap<>();
        private final Map<UUID, Long> tokens = new HashMap<>();
        private final Map<LockKey, Long> highest = new HashMap<>(); // by root

        Play() {
            model.now = clock.nanos();
        }

        boolean step(Step step) throws InterruptedException {
            switch (step.verb) {
                case TRY -> tryNow(request(step, false));
                case ASK -> ask(request(step, true));
                case CANCEL -> cancel(picked(step, State.WAITING));
                case RELEASE -> release(picked(step, State.GRANTED));
                case RENEW -> renew(picked(step, State.GRANTED), step.pick);
                case HALF_WAY -> {
                    return moveTo(clock.nanos() + (model.nextEvent() - clock.nanos()) / 2);
                }
                case NEXT_EVENT -> {
                    return moveTo(model.nextEvent());
                }
            }
            return true;
        }

        private Asking request(Step step, boolean waits) {
            LockRequest request = null;
            for (Thing thing : step.things) {
                LockKey key = KEYS.get(thing.key);
                LockRequest one = thing.exclusive ? LockRequest.exclusive(key) : LockRequest.shared(key);
                if (request == null) {
                    request = one;
                } else {
                    request = thing.exclusive ? request.andExclusive(key) : request.andShared(key);
                }
            }
            int number = model.entries.size() + 1;
            // odd nanoseconds, so that hardly ever two things happen at the same moment
            Duration wait = waits ? Duration.ofNanos(1_000_000L * (1 + step.pick) + 1_009L * number) : Duration.ZERO;
            Duration term = Duration.ofNanos(3_000_000L * (1 + step.things.size()) + 2_003L * number);
            return new Asking(clock, number, number, Objects.requireNonNull(request), wait, term, List.of());
        }

        private void tryNow(Asking request) throws InterruptedException {
            StoreAnswer answer = store.acquire(request);
            Entry entry = model.ask(request);
            answers.put(entry, CompletableFuture.completedFuture(answer));
        }

        private void ask(Asking request) {
            CompletableFuture<StoreAnswer> answer = store.acquireAsync(request, Runnable::run);
            answers.put(model.ask(request), answer);
        }

        private Entry picked(Step step, State state) {
            List<Entry> all =
                    model.entries.stream().filter(entry -> entry.state == state).toList();
            return all.isEmpty() ? null : all.get(step.pick % all.size());
        }

        private void cancel(Entry entry) {
            if (entry != null) {
                assertThat(answers.get(entry).cancel(true)).isTrue();
                model.cancel(entry);
            }
        }

        private void release(Entry entry) {
            if (entry != null) {
                StoreGrant grant = (StoreGrant) answers.get(entry).join();
                assertThat(store.release(grant)).isTrue();
                assertThat(store.release(grant)).isFalse();
                model.release(entry);
            }
        }

        private void renew(Entry entry, int pick) {
            if (entry != null) {
                long left = entry.expiry - model.now; // a renewal never shortens
                Duration term = Duration.ofNanos(left + 1_000_000L * pick + 3_001L * entry.asking.number());
                StoreGrant grant = (StoreGrant) answers.get(entry).join();
                assertThat(store.renew(List.of(new Renewal(grant, term)))).isEmpty();
                entry.expiry = model.now + term.toNanos();
            }
            for (Entry ended : model.entries) {
                if (ended.state == State.EXPIRED || ended.state == State.RELEASED) {
                    StoreGrant grant = (StoreGrant) answers.get(ended).join();
                    assertThat(store.renew(List.of(new Renewal(grant, Duration.ofHours(1)))))
                            .containsExactly(grant);
                }
            }
        }

        private boolean moveTo(long time) {
            if (time < Long.MAX_VALUE / 4) {
                clock.moveTo(time);
                return model.moveTo(time);
            }
            return true;
        }

        // ---- the same on both sides

        void compare(Step after) {
            await(() -> holders(store.snapshot()).equals(model.holders())
                    && waiters(store.snapshot()).equals(model.waiters())
                    && model.entries.stream().allMatch(this::isAnsweredAsExpected));
            LockSnapshot snapshot = store.snapshot();
            assertThat(holders(snapshot)).as("holders after %s", after).isEqualTo(model.holders());
            assertThat(waiters(snapshot)).as("waiters after %s", after).isEqualTo(model.waiters());
            model.entries.forEach(entry -> assertThat(isAnsweredAsExpected(entry))
                    .as("%s should be %s but is %s", entry.asking, entry.state, answers.get(entry))
                    .isTrue());
            assertThat(store.size()).isGreaterThanOrEqualTo(model.usedKeys());
            if (model.entries.stream().noneMatch(entry -> entry.state == State.EXPIRED)) {
                assertThat(store.size()).isEqualTo(model.usedKeys());
            }
            tokensRise();
            rulesHold();
        }

        private static void await(BooleanSupplier condition) {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (!condition.getAsBoolean() && System.nanoTime() - end < 0) {
                Thread.onSpinWait();
            }
        }

        private boolean isAnsweredAsExpected(Entry entry) {
            CompletableFuture<StoreAnswer> answer = answers.get(entry);
            return switch (entry.state) {
                case WAITING -> !answer.isDone();
                case CANCELLED -> answer.isCancelled();
                case GRANTED, RELEASED, EXPIRED -> answer.isDone() && answer.join() instanceof StoreGrant;
                case BUSY ->
                    answer.isDone()
                            && answer.join() instanceof StoreBusy busy
                            && busy.waitedFor().equals(entry.refusedAt);
            };
        }

        private static Set<Had> holders(LockSnapshot snapshot) {
            return snapshot.holders().stream()
                    .map(held -> new Had(held.leaseId(), new PlannedLock(held.key(), held.mode())))
                    .collect(Collectors.toSet());
        }

        private static List<Waits> waiters(LockSnapshot snapshot) {
            return snapshot.waiters().stream()
                    .map(waiting -> new Waits(
                            waiting.leaseId(),
                            new PlannedLock(waiting.key(), waiting.mode()),
                            waiting.blockedBy().stream().map(Blocker::leaseId).collect(Collectors.toSet())))
                    .sorted(Comparator.comparing(waits -> waits.lock().key())) // stable: queues stay in order
                    .toList();
        }

        /** In each tree, above those of all steps before. */
        private void tokensRise() {
            Map<LockKey, Long> before = Map.copyOf(highest);
            for (Entry entry : model.entries) {
                if (entry.state == State.GRANTED && !tokens.containsKey(entry.id())) {
                    long token = ((StoreGrant) answers.get(entry).join()).token();
                    for (PlannedLock lock : entry.plan) {
                        LockKey root = lock.key().root();
                        assertThat(token).isGreaterThan(before.getOrDefault(root, 0L));
                        highest.merge(root, token, Math::max);
                    }
                    tokens.put(entry.id(), token);
                }
            }
        }

        /** What must be true whatever happened before; asked of the store alone. */
        private void rulesHold() {
            LockSnapshot snapshot = store.snapshot();
            Map<UUID, Asking> byId = model.entries.stream().collect(Collectors.toMap(Entry::id, entry -> entry.asking));
            for (Had one : holders(snapshot)) {
                for (Had other : holders(snapshot)) {
                    assertThat(one.lease().equals(other.lease())
                                    || !one.lock().key().equals(other.lock().key())
                                    || one.lock()
                                            .mode()
                                            .compatibleWith(other.lock().mode()))
                            .as("%s beside %s", one, other)
                            .isTrue();
                }
            }
            for (Waits waits : waiters(snapshot)) {
                List<PlannedLock> plan = byId.get(waits.lease()).plan().locks();
                Set<Had> earlier = plan.subList(0, plan.indexOf(waits.lock())).stream()
                        .map(lock -> new Had(waits.lease(), lock))
                        .collect(Collectors.toSet());
                assertThat(holders(snapshot).stream().filter(had -> had.lease().equals(waits.lease())))
                        .containsExactlyInAnyOrderElementsOf(earlier);
                assertThat(waits.blockers()).isNotEmpty();
            }
        }

        /** Everything goes back in any order, and then nothing is left. */
        void end() {
            for (Entry entry = live(); entry != null; entry = live()) {
                if (entry.state == State.WAITING) {
                    cancel(entry);
                } else {
                    release(entry);
                }
                await(() -> model.entries.stream().allMatch(this::isAnsweredAsExpected));
            }
            for (Entry entry : model.entries) {
                if (entry.state == State.EXPIRED) {
                    StoreGrant grant = (StoreGrant) answers.get(entry).join();
                    boolean unused = store.release(grant); // true if no other request has met its locks since
                    assertThat(store.release(grant)).isFalse();
                }
            }
            assertThat(store.snapshot().isEmpty()).isTrue();
            assertThat(store.size()).isZero();
        }

        private Entry live() {
            return model.entries.stream()
                    .filter(entry -> entry.state == State.WAITING || entry.state == State.GRANTED)
                    .findFirst()
                    .orElse(null);
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
