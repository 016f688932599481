package dev.lockstep.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.OrderViolationException;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.core.engine.LockPlanPropertyTest.Asked;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.LockPlan;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
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
import net.jqwik.api.lifecycle.AfterContainer;

@Label("nested requests under the guard")
@PropertyDefaults(edgeCases = EdgeCasesMode.NONE)
@Tag("once") // its subject is the model
class OrderGuardPropertyTest {
    private static final int HOLDERS = 4;
    private static final ExecutorService THREADS =
            Executors.newFixedThreadPool(HOLDERS, OrderGuardPropertyTest::daemon);

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "order-guard");
        thread.setDaemon(true);
        return thread;
    }

    @AfterContainer
    static void end() {
        THREADS.shutdown();
    }

    /** One step of a holder: a nested request, or giving back one of its leases. */
    record Step(boolean closes, int pick, List<Asked> asks) {}

    // ---- one holder

    @Property
    @Label("one holder gets exactly what is covered or ranks above all it holds")
    void oneHolder(@ForAll("programs") List<Step> steps) {
        MemoryStore store = MemoryStore.create();
        try (Locks locks =
                Locks.builder(store).defaultTerm(Duration.ofMinutes(10)).build()) {
            Map<Lease, List<Asked>> open = new HashMap<>();
            List<Lease> order = new ArrayList<>();
            for (Step step : steps) {
                Set<PlannedLock> before = held(locks, null);
                if (step.closes && !order.isEmpty()) {
                    Lease lease = order.remove(step.pick % order.size());
                    assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
                    open.remove(lease);
                } else if (!step.closes) {
                    boolean allowed = isAllowed(before, LockPlanPropertyTest.plan(step.asks));
                    try {
                        Lease lease = locks.acquire(LockPlanPropertyTest.request(step.asks));
                        assertThat(allowed)
                                .as("%s while %s is held", step, before)
                                .isTrue();
                        order.add(lease);
                        open.put(lease, step.asks);
                    } catch (OrderViolationException e) {
                        assertThat(allowed)
                                .as("%s while %s is held", step, before)
                                .isFalse();
                        assertThat(held(locks, null)).isEqualTo(before);
                        assertThat(e.violation().held()).isIn(before);
                    }
                }
                protectsAll(held(locks, null), open.values());
                assertThat(open.keySet()).allMatch(Lease::isHeld);
            }
            order.forEach(Lease::close);
            assertThat(locks.snapshot().isEmpty()).isTrue();
            assertThat(store.size()).isZero();
        }
    }

    /** By what the store says is held, not by what the guard believes. */
    private static boolean isAllowed(Set<PlannedLock> held, LockPlan plan) {
        int top = held.stream().mapToInt(lock -> lock.key().rank()).max().orElse(-1);
        return plan.locks().stream()
                .filter(lock -> held.stream().noneMatch(each -> covers(each, lock)))
                .allMatch(lock -> lock.key().rank() > top);
    }

    private static boolean covers(PlannedLock held, PlannedLock lock) {
        return held.key().equals(lock.key())
                ? held.mode().covers(lock.mode())
                : held.key().isAncestorOf(lock.key()) && held.mode().coversBelow(lock.mode());
    }

    /** Everything that any open lease needs is there. */
    private static void protectsAll(Set<PlannedLock> held, Iterable<List<Asked>> open) {
        for (List<Asked> asks : open) {
            for (PlannedLock needed : LockPlanPropertyTest.plan(asks).locks()) {
                assertThat(held).as("for %s", asks).anyMatch(each -> covers(each, needed));
            }
        }
    }

    private static Set<PlannedLock> held(Locks locks, String owner) {
        return locks.snapshot().holders().stream()
                .filter(lock -> owner == null || owner.equals(lock.owner()))
                .map(lock -> new PlannedLock(lock.key(), lock.mode()))
                .collect(Collectors.toSet());
    }

    // ---- several holders

    @Property(tries = 300)
    @Label("several holders never deadlock, never meet, and a refusal leaves nothing new held")
    void severalHolders(@ForAll("manyPrograms") List<List<Step>> programs) throws Exception {
        MemoryStore store = MemoryStore.create();
        try (Locks locks = Locks.builder(store)
                .defaultWait(Duration.ofMinutes(4))
                .defaultTerm(Duration.ofMinutes(10))
                .build()) {
            Meetings meetings = new Meetings();
            List<Future<Boolean>> runs = new ArrayList<>();
            for (List<Step> program : programs) {
                String owner = "holder-" + runs.size();
                runs.add(THREADS.submit(nested(locks, meetings, program, owner)));
            }
            for (Future<Boolean> run : runs) {
                assertThat(run.get(5, TimeUnit.MINUTES)).isTrue();
            }
            assertThat(locks.snapshot().isEmpty()).isTrue();
            assertThat(store.size()).isZero();
        }
    }

    private static Callable<Boolean> nested(Locks locks, Meetings meetings, List<Step> program, String owner) {
        return () -> {
            Deque<Lease> open = new ArrayDeque<>();
            try {
                for (Step step : program) {
                    if (step.closes && !open.isEmpty()) {
                        meetings.close(step.pick % 2 == 0 ? open.pop() : open.removeLast());
                    } else if (!step.closes) {
                        Set<PlannedLock> before = held(locks, owner);
                        try {
                            LockRequest request =
                                    LockPlanPropertyTest.request(step.asks).as(owner);
                            open.push(meetings.opened(owner, step.asks, locks.acquire(request)));
                        } catch (OrderViolationException e) {
                            assertThat(held(locks, owner)).isEqualTo(before);
                        }
                    }
                }
            } finally {
                open.forEach(meetings::close);
            }
            return true;
        };
    }

    /** Who has what now, by the naive meaning of what was asked. */
    private static final class Meetings {
        private record Open(String owner, List<Asked> asks) {}

        private final Map<Lease, Open> open = new HashMap<>();

        synchronized Lease opened(String owner, List<Asked> asks, Lease lease) {
            for (Open other : open.values()) {
                boolean meet =
                        asks.stream().anyMatch(mine -> other.asks.stream().anyMatch(mine::meets));
                assertThat(meet && !other.owner.equals(owner))
                        .as("%s of %s beside %s", asks, owner, other)
                        .isFalse();
            }
            open.put(lease, new Open(owner, asks));
            return lease;
        }

        void close(Lease lease) {
            synchronized (this) {
                Objects.requireNonNull(open.remove(lease));
            }
            lease.close();
        }
    }

    // ---- what is generated

    @Provide
    Arbitrary<List<Step>> programs() {
        Arbitrary<List<Asked>> asks = LockPlanPropertyTest.asks().filter(list -> list.size() <= 3);
        return Combinators.combine(
                        Arbitraries.of(true, false, false),
                        Arbitraries.integers().between(0, 9),
                        asks)
                .as(Step::new)
                .list()
                .ofMinSize(2)
                .ofMaxSize(12);
    }

    @Provide
    Arbitrary<List<List<Step>>> manyPrograms() {
        return programs().list().ofMinSize(2).ofMaxSize(HOLDERS);
    }
}
