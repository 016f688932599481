package dev.lockstep.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.Busy;
import dev.lockstep.core.Granted;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.Locks;
import dev.lockstep.core.leadership.Leadership;
import dev.lockstep.core.leadership.Term;
import dev.lockstep.core.permits.Permits;
import dev.lockstep.core.spi.LockStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What permits, leadership and tasks once per cluster do on every store, as tests: two processes, each with its own store. A store's own test
 * extends this class and opens the store. The store must keep {@linkplain LockStore#numbers numbers}.
 */
@Timeout(300)
public abstract class ClusterContract {
    private static final LockKind KIND = LockKind.of("cluster-thing", 90).asLeaf();
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final LockKey key = KIND.key(UUID.randomUUID().toString()); // numbers of permits outlast a test
    private @Nullable Locks first;
    private @Nullable Locks second;

    /** For subclasses. */
    protected ClusterContract() {}

    /** A new store in which nothing is locked, for the first process. */
    protected abstract LockStore createStore() throws Exception;

    /** Another store with the same locks, for the second process. */
    protected abstract LockStore secondStore() throws Exception;

    @BeforeEach
    final void open() throws Exception {
        first = Locks.builder(createStore()).defaultWait(PATIENCE).build();
        second = Locks.builder(secondStore()).defaultWait(PATIENCE).build();
    }

    @AfterEach
    final void close() {
        for (Locks locks : new @Nullable Locks[] {second, first}) {
            if (locks != null) {
                locks.close();
            }
        }
    }

    private Locks first() {
        return requireOpen(first);
    }

    private Locks second() {
        return requireOpen(second);
    }

    private static Locks requireOpen(@Nullable Locks locks) {
        if (locks == null) {
            throw new IllegalStateException("There are no locks outside of a test");
        }
        return locks;
    }

    // ---- permits

    /** Takes permits without waiting. */
    private static List<Lease> take(Permits permits, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> ((Granted) permits.tryAcquire()).lease())
                .toList();
    }

    @Test
    final void exactlyTheDeclaredNumberOfPermitsIsHeld() {
        for (int count : List.of(1, 3, 20)) {
            LockKey each = KIND.key(key.id() + "-" + count);
            Permits here = first().permits(each, count);
            Permits there = second().permits(each, count);
            List<Lease> held = new ArrayList<>(take(here, count / 2));
            held.addAll(take(there, count - count / 2));

            assertThat(here.tryAcquire()).isInstanceOf(Busy.class);
            assertThat(there.tryAcquire()).isInstanceOf(Busy.class);
            held.get(0).close();
            held.addAll(take(there, 1));
            assertThat(here.tryAcquire()).isInstanceOf(Busy.class);
            held.forEach(Lease::close);
        }
    }

    @Test
    final void aWaitingProcessGetsThePermitThatAnotherOneReleases() {
        Permits there = second().permits(key, 2);
        List<Lease> held = take(first().permits(key, 2), 2);
        Task<Lease> waiting = Task.start("waiting", there::acquire);
        Eventually.await(() -> second().figures().held() > 0, () -> "nothing waits"); // it holds the gate

        held.get(1).close();

        waiting.result().close();
        held.get(0).close();
        assertThat(take(there, 2)).hasSize(2);
    }

    @Test
    final void underLoadNeverMoreAreHeldThanThereArePermits() {
        List<Permits> processes = List.of(first().permits(key, 3), second().permits(key, 3));
        AtomicInteger holders = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<Task<Boolean>> tasks = IntStream.range(0, 8)
                .mapToObj(i -> Task.start("worker-" + i, () -> {
                    for (int round = 0; round < 12; round++) {
                        processes.get(i % 2).run(lease -> {
                            most.accumulateAndGet(holders.incrementAndGet(), Math::max);
                            Thread.sleep(1);
                            holders.decrementAndGet();
                        });
                    }
                    return true;
                }))
                .toList();
        tasks.forEach(Task::result);
        assertThat(most.get()).isBetween(1, 3);
        assertThat(take(processes.get(0), 3)).hasSize(3);
    }

    @Test
    final void anotherNumberOfPermitsIsRefusedAndAResizedOneIsKnown() {
        Permits here = first().permits(key, 5);
        assertThatThrownBy(() -> second().permits(key, 4))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("5 permits")
                .hasMessageContaining("4 are declared");

        here.resize(4);

        assertThat(take(second().permits(key, 4), 4)).hasSize(4);
        assertThat(here.tryAcquire()).isInstanceOf(Busy.class);
    }

    // ---- leadership

    @Test
    final void anotherCandidateLeadsAfterTheLeaderHasResignedOrItsLocksWereClosed() {
        try (Leadership a = first().leadership(key).as("a").start();
                Leadership b = second().leadership(key).as("b").start()) {
            Eventually.await(() -> a.isLeader() ^ b.isLeader(), () -> "no leader");
            Leadership leader = a.isLeader() ? a : b;
            Leadership other = leader == a ? b : a;
            assertThat(leader.leader()).isPresent();

            leader.close();
            Eventually.await(other::isLeader, () -> "no leader after the resignation");
        }
        try (Leadership a = first().leadership(key).start();
                Leadership b = second().leadership(key).start()) {
            Eventually.await(a::isLeader, () -> "no leader");
            first().close();
            Eventually.await(b::isLeader, () -> "no leader after the locks were closed");
            assertThat(a.isLeader()).isFalse();
        }
    }

    @Test
    final void manyElectionsHaveNeverTwoLeaders(@TempDir Path directory) throws IOException {
        List<Leadership> candidates = new ArrayList<>();
        AtomicInteger terms = new AtomicInteger();
        List<Term> leading = new CopyOnWriteArrayList<>();
        List<String> overlaps = new CopyOnWriteArrayList<>();
        try (ExclusionChecker checker = ExclusionChecker.in(directory)) {
            for (Locks locks : List.of(first(), second(), first())) {
                candidates.add(locks.leadership(key)
                        .whenElected(term -> {
                            leading.add(term);
                            if (leading.size() > 1) {
                                overlaps.add(leading.toString());
                            }
                        })
                        .whenStopped(stop -> leading.remove(stop.term()))
                        .start());
            }
            Eventually.await(
                    () -> {
                        candidates.forEach(candidate -> lead(candidate, checker, terms));
                        return terms.get() >= 20;
                    },
                    () -> "only " + terms + " terms");
            candidates.forEach(Leadership::close);
            assertThat(overlaps).isEmpty();
            checker.verify(); // that each term has a greater token than those before
        }
    }

    private void lead(Leadership candidate, ExclusionChecker checker, AtomicInteger terms) {
        candidate.term().ifPresent(term -> {
            checker.exclusive(key, term.token(), term.owner());
            terms.incrementAndGet();
            candidate.resign();
        });
    }

    // ---- once per cluster

    @Test
    final void aTaskRunsOnOneOfTheProcessesInTheMinimumTime() {
        AtomicInteger runs = new AtomicInteger();
        Duration atLeast = Duration.ofSeconds(8);
        assertThat(first().once(key, atLeast, lease -> runs.incrementAndGet())).isTrue();
        assertThat(second().once(key, atLeast, lease -> runs.incrementAndGet())).isFalse();
        assertThat(first().once(key, atLeast, lease -> runs.incrementAndGet())).isFalse();
        Eventually.await(
                () -> second().once(key, Duration.ZERO, lease -> runs.incrementAndGet()),
                () -> "it is held for longer than the minimum time");
        assertThat(runs).hasValue(2);
    }

    @Test
    final void ofManyThatStartATaskTogetherOneRunsIt() {
        AtomicInteger runs = new AtomicInteger();
        List<Task<Boolean>> tasks = IntStream.range(0, 10)
                .mapToObj(i -> Task.start(
                        "node-" + i,
                        () -> (i % 2 == 0 ? first() : second())
                                .once(key, Duration.ofSeconds(8), lease -> runs.incrementAndGet())))
                .toList();
        assertThat(tasks.stream().filter(Task::result)).hasSize(1);
        assertThat(runs).hasValue(1);
    }
}
