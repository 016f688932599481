package dev.lockstep.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Blocker;
import dev.lockstep.core.DeadlockReport;
import dev.lockstep.core.DeadlockReport.Participant;
import dev.lockstep.core.Estate;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.WaitingLock;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreDeadlock;
import dev.lockstep.core.spi.StoreGrant;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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

@Label("cycles of waits in the in-memory store")
@PropertyDefaults(edgeCases = EdgeCasesMode.NONE)
@Tag("once") // its subject is the model
class DeadlockPropertyTest {
    private static final Duration AGES = Duration.ofDays(365);
    private static final int HOLDERS = 4;
    private static final List<LockKey> FLAT = List.of(
            Estate.ITEM.key("i"),
            Estate.ITEM.key("j"),
            Estate.ITEM.key("k"),
            Estate.USER.key("u"),
            Estate.USER.key("v"));
    private static final List<LockKey> TREE = tree();

    private static List<LockKey> tree() {
        LockKey user = Estate.USER.key("u");
        LockKey account = user.child(Estate.ACCOUNT, "a");
        return List.of(
                user,
                account,
                user.child(Estate.ACCOUNT, "b"),
                account.child(Estate.RESOURCE, "r"),
                Estate.ITEM.key("i"),
                Estate.ITEM.key("j"));
    }

    /** One holder's next step: it asks for something, unless it waits, or gives back one of its grants. */
    record Step(int holder, boolean releases, int pick, int key, boolean exclusive, int second) {}

    @Property(tries = 2_000)
    @Label("single keys: exactly the cycles are found, and the youngest request in one fails")
    void flat(@ForAll("steps") List<Step> steps) {
        try (Play play = new Play(FLAT)) {
            for (Step step : steps) {
                Set<Claimed> before = play.waiting();
                Claimed added = play.step(step, false);
                Claimed victim = play.newVictim(before, added);
                play.noCycleIsLeft();
                if (added != null && added.answer.isDone() && added.answer.join() instanceof StoreGrant) {
                    assertThat(victim).isNull();
                }
            }
        }
    }

    @Property(tries = 2_000)
    @Label("trees and sets: no cycle is ever left")
    void trees(@ForAll("steps") List<Step> steps) {
        try (Play play = new Play(TREE)) {
            for (Step step : steps) {
                play.step(step, true);
                play.noCycleIsLeft();
            }
            play.everythingEnds();
        }
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        return Combinators.combine(
                        Arbitraries.integers().between(1, HOLDERS),
                        Arbitraries.of(true, false, false, false),
                        Arbitraries.integers().between(0, 9),
                        Arbitraries.integers().between(0, 5),
                        Arbitraries.of(true, true, false),
                        Arbitraries.integers().between(0, 11))
                .as(Step::new)
                .list()
                .ofMinSize(4)
                .ofMaxSize(40);
    }

    private record Claimed(Asking asking, CompletableFuture<StoreAnswer> answer) {
        boolean holds() {
            return answer.isDone() && answer.join() instanceof StoreGrant;
        }

        StoreGrant grant() {
            return (StoreGrant) answer.join();
        }
    }

    private static final class Play implements AutoCloseable {
        private final MovedClock clock = new MovedClock();
        private final MemoryStore store = MemoryStore.on(clock);
        private final List<LockKey> keys;
        private final Map<UUID, Claimed> all = new HashMap<>();
        private final Map<Long, List<Claimed>> ofHolder = new HashMap<>();
        private int number;

        Play(List<LockKey> keys) {
            this.keys = keys;
        }

        /** Answers the new claim, if there is one. */
        Claimed step(Step step, boolean sets) {
            clock.moveTo(clock.nanos() + 1_000); // so that one of them is the youngest
            List<Claimed> own = ofHolder.computeIfAbsent((long) step.holder, h -> new ArrayList<>());
            if (own.stream().anyMatch(claimed -> !claimed.answer.isDone())) {
                return null; // its thread is waiting
            }
            List<Claimed> held = own.stream().filter(Claimed::holds).toList();
            if (step.releases) {
                if (!held.isEmpty()) {
                    Claimed released = held.get(step.pick % held.size());
                    own.remove(released);
                    assertThat(store.release(released.grant())).isTrue();
                }
                return null;
            }
            Claimed asked = ask(step, sets, held);
            own.add(asked);
            return asked;
        }

        private Claimed ask(Step step, boolean sets, List<Claimed> held) {
            LockKey key = keys.get(step.key % keys.size());
            LockRequest request = step.exclusive ? LockRequest.exclusive(key) : LockRequest.shared(key);
            if (sets && step.second < keys.size()) {
                request = request.andExclusive(keys.get(step.second));
            }
            List<StoreGrant> outer = held.stream().map(Claimed::grant).toList();
            Asking asking = new Asking(clock, ++number, step.holder, request, AGES, AGES, outer);
            Claimed claimed = new Claimed(asking, store.acquireAsync(asking, Runnable::run));
            all.put(asking.leaseId(), claimed);
            return claimed;
        }

        Set<Claimed> waiting() {
            Set<Claimed> waiting = new HashSet<>(all.values());
            waiting.removeIf(claimed -> claimed.answer.isDone());
            return waiting;
        }

        /** The one that was failed in this step, with its report checked; null if none was. */
        Claimed newVictim(Set<Claimed> before, Claimed added) {
            Set<Claimed> candidates = new HashSet<>(before);
            if (added != null) {
                candidates.add(added);
            }
            noCycleIsLeft();
            Claimed victim = null;
            for (Claimed claimed : candidates) {
                if (claimed.answer.isDone() && claimed.answer.join() instanceof StoreDeadlock deadlock) {
                    check(deadlock.report(), claimed, added);
                    victim = claimed;
                }
            }
            return victim;
        }

        private void check(DeadlockReport report, Claimed victim, Claimed added) {
            List<Participant> cycle = report.cycle();
            assertThat(report.victim()).isEqualTo(victim.asking.leaseId());
            assertThat(cycle).extracting(Participant::leaseId).contains(added.asking.leaseId());
            for (int i = 0; i < cycle.size(); i++) {
                Participant waits = cycle.get(i);
                Participant inTheWay = cycle.get((i + 1) % cycle.size());
                assertThat(inTheWay.holds())
                        .allMatch(lock -> lock.key().equals(waits.waitsFor().key()));
                boolean holds = inTheWay.holds().stream()
                        .anyMatch(lock ->
                                !lock.mode().compatibleWith(waits.waitsFor().mode()));
                boolean isAhead =
                        inTheWay.waitsFor().key().equals(waits.waitsFor().key())
                                && !inTheWay.waitsFor()
                                        .mode()
                                        .compatibleWith(waits.waitsFor().mode());
                assertThat(holds || isAhead).as("%s", report).isTrue();
            }
            long youngest = cycle.stream()
                    .mapToLong(each -> all.get(each.leaseId()).asking.number())
                    .max()
                    .orElseThrow();
            assertThat(victim.asking.number()).isEqualTo((int) youngest);
        }

        /** The store's own thread may be about to end a cycle, so this waits for it. */
        void noCycleIsLeft() {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while ((hasCycle() || isAtWork()) && System.nanoTime() - end < 0) {
                Thread.onSpinWait();
            }
            assertThat(hasCycle()).as("a cycle in %s", store.snapshot()).isFalse();
            assertThat(isAtWork()).isFalse();
        }

        /** Whether someone has left the queue and not been told yet. */
        private boolean isAtWork() {
            return waiting().size() != store.snapshot().waiters().size();
        }

        private boolean hasCycle() {
            Map<Long, Set<Long>> waitsFor = new HashMap<>();
            for (WaitingLock waiting : store.snapshot().waiters()) {
                for (Blocker blocker : waiting.blockedBy()) {
                    waitsFor.computeIfAbsent(holderOf(waiting.leaseId()), h -> new HashSet<>())
                            .add(holderOf(blocker.leaseId()));
                }
            }
            return waitsFor.keySet().stream().anyMatch(holder -> reaches(holder, holder, waitsFor));
        }

        private long holderOf(UUID lease) {
            return all.get(lease).asking.holder();
        }

        private static boolean reaches(long from, long to, Map<Long, Set<Long>> waitsFor) {
            Set<Long> seen = new HashSet<>();
            Deque<Long> open = new ArrayDeque<>(waitsFor.getOrDefault(from, Set.of()));
            for (Long next = open.poll(); next != null; next = open.poll()) {
                if (next == to) {
                    return true;
                }
                if (seen.add(next)) {
                    open.addAll(waitsFor.getOrDefault(next, Set.of()));
                }
            }
            return false;
        }

        /** As long as there is no cycle, someone can always go on. */
        void everythingEnds() {
            boolean moved = true;
            while (moved) {
                moved = false;
                for (List<Claimed> own : ofHolder.values()) {
                    if (own.stream().allMatch(claimed -> claimed.answer.isDone())) {
                        for (Claimed claimed : List.copyOf(own)) {
                            moved |= claimed.holds();
                            if (claimed.holds()) {
                                store.release(claimed.grant());
                            }
                            own.remove(claimed);
                        }
                    }
                }
                noCycleIsLeft();
            }
            assertThat(store.snapshot().isEmpty()).as("%s", store.snapshot()).isTrue();
            assertThat(store.size()).isZero();
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
