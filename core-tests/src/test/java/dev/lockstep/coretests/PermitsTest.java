package dev.lockstep.coretests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Busy;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Granted;
import dev.lockstep.core.HeldLock;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.LockTimeoutException;
import dev.lockstep.core.Locks;
import dev.lockstep.core.Loss;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.permits.Permits;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.SharedNumbers;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreAround;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import dev.lockstep.core.spi.StoreTrait;
import dev.lockstep.testkit.FakeClock;
import dev.lockstep.testkit.FaultyStore;
import dev.lockstep.testkit.FaultyStore.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Permits on a store whose waits cost nothing, and on one that says that they block. */
@SuppressWarnings("try") // some leases are only there to be held
class PermitsTest {
    private static final LockKey KEY = LockKind.of("printer", 7).asLeaf().key("p1");

    /** How the first waiter waits. */
    enum Way {
        QUEUED,
        PROBED;

        LockStore on(LockStore store) {
            return this == QUEUED ? store : new BlockingWaits(store);
        }
    }

    private static class BlockingWaits extends StoreAround {
        private final LockStore inner;

        BlockingWaits(LockStore inner) {
            super(inner);
            this.inner = inner;
        }

        @Override
        public StoreAnswer acquire(StoreRequest request) throws InterruptedException {
            return inner.acquire(request);
        }

        @Override
        public void cancel(StoreRequest request) {
            inner.cancel(request);
        }

        @Override
        public List<StoreGrant> renew(List<Renewal> renewals) {
            return inner.renew(renewals);
        }

        @Override
        public boolean release(StoreGrant grant) {
            return inner.release(grant);
        }

        @Override
        public Set<StoreTrait> traits() {
            return Set.of(StoreTrait.BLOCKING_WAITS);
        }
    }

    private final FakeClock clock = new FakeClock();
    private final MemoryStore memory = MemoryStore.on(clock);
    private final FaultyStore faulty = FaultyStore.around(memory);
    private final List<Locks> opened = new ArrayList<>();

    @AfterEach
    void close() {
        faulty.heal();
        opened.forEach(Locks::close);
    }

    private Locks process(Way way) {
        Locks locks = Locks.builder(way.on(faulty)).leaveStoreOpen().build();
        opened.add(locks);
        return locks;
    }

    private static List<Lease> take(Permits permits, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> ((Granted) permits.tryAcquire()).lease())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 100})
    void exactlyAsManyAsDeclaredAreHeldAtATime(int count) {
        Permits one = process(Way.QUEUED).permits(KEY, count);
        Permits other = process(Way.QUEUED).permits(KEY, count);

        List<Lease> held = new ArrayList<>(take(one, count / 2));
        held.addAll(take(other, count - count / 2));

        assertThat(one.tryAcquire()).isInstanceOf(Busy.class);
        assertThat(other.tryAcquire()).isInstanceOf(Busy.class);
        held.get(0).close();
        assertThat(other.tryAcquire()).isInstanceOf(Granted.class);
        assertThat(one.tryAcquire()).isInstanceOf(Busy.class);
    }

    @ParameterizedTest
    @EnumSource
    void aWaitingRequestGetsThePermitThatAnotherProcessReleases(Way way) throws Exception {
        Permits one = process(way).permits(KEY, 2);
        Permits other = process(way).permits(KEY, 2);
        List<Lease> held = take(one, 2);

        Running<Lease> waiting = Running.start(() -> other.acquire(Duration.ofMinutes(1)));
        awaitGate();
        held.get(1).close();
        if (way == Way.PROBED) {
            await().until(() -> {
                clock.advance(Duration.ofMillis(20));
                return waiting.isDone();
            });
        }

        assertThat(waiting.result().isHeld()).isTrue();
        await().untilAsserted(
                        () -> { // what was cancelled may end on another thread
                            assertThat(memory.snapshot().holders()).hasSize(2);
                            assertThat(memory.snapshot().waiters()).isEmpty();
                        });
    }

    private void awaitGate() {
        await().until(() -> !memory.snapshot().waiters().isEmpty()
                || memory.snapshot().holders().stream()
                        .anyMatch(held -> held.key().id().endsWith("#queue")));
    }

    @ParameterizedTest
    @EnumSource
    void waitingRequestsOfOneProcessAreServedInOrder(Way way) throws Exception {
        Permits permits = process(way).permits(KEY, 1);
        Lease held = permits.acquire();
        List<Integer> served = new ArrayList<>();
        List<Running<Boolean>> tasks = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            int number = i;
            Running<Boolean> task = Running.start(() -> {
                try (Lease lease = permits.acquire(Duration.ofHours(1))) {
                    return served.add(number);
                }
            });
            tasks.add(task);
            await().until(() -> task.thread().getState() == Thread.State.TIMED_WAITING);
        }
        held.close();
        for (Running<Boolean> task : tasks) {
            task.result();
        }

        assertThat(served).containsExactly(0, 1, 2, 3, 4);
    }

    @ParameterizedTest
    @EnumSource
    void aRequestThatTimesOutHoldsAndQueuesNothing(Way way) {
        Permits one = process(way).permits(KEY, 2);
        List<Lease> held = take(one, 2);
        Permits other = process(way).permits(KEY, 2);

        Running<Lease> waiting = Running.start(() -> other.acquire(Duration.ofSeconds(3)));
        awaitGate();
        clock.advance(Duration.ofSeconds(4));

        assertThatThrownBy(waiting::result).hasCauseInstanceOf(LockTimeoutException.class);
        await().untilAsserted(() -> {
            assertThat(memory.snapshot().holders()).hasSize(held.size());
            assertThat(memory.snapshot().waiters()).isEmpty();
        });
    }

    @Test
    void aRequestThatTimesOutLeavesItsPlaceToTheNextOfItsProcess() {
        Permits permits = process(Way.PROBED).permits(KEY, 1);
        List<Lease> held = take(permits, 1);
        Running<Lease> first = Running.start(() -> permits.acquire(Duration.ofSeconds(3)));
        await().until(() -> gate().isPresent());
        Optional<UUID> before = gate();
        Running<Lease> next = Running.start(() -> permits.acquire(Duration.ofHours(1)));
        await().until(() -> next.thread().getState() == Thread.State.TIMED_WAITING);

        clock.advance(Duration.ofSeconds(4));

        assertThatThrownBy(first::result).hasCauseInstanceOf(LockTimeoutException.class);
        await().until(() -> gate().isPresent());
        assertThat(gate()).isEqualTo(before);
        assertThat(held).allMatch(Lease::isHeld);
    }

    /** The lease of the process whose turn it is. */
    private Optional<UUID> gate() {
        return memory.snapshot().holders().stream()
                .filter(each -> each.key().id().endsWith("#queue"))
                .map(HeldLock::leaseId)
                .findFirst();
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptedRequestHoldsAndQueuesNothing(Way way) {
        Permits permits = process(way).permits(KEY, 1);
        Lease held = permits.acquire();

        Running<Lease> waiting = Running.start(() -> permits.acquire(Duration.ofHours(1)));
        awaitGate();
        waiting.thread().interrupt();

        assertThatThrownBy(waiting::result).rootCause().isInstanceOf(InterruptedException.class);
        await().untilAsserted(() -> assertThat(memory.snapshot().holders()).hasSize(1));
        assertThat(held.isHeld()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void manyThreadsOfTwoProcessesNeverExceedTheNumberAndReachIt(Way way) throws Exception {
        MemoryStore real = MemoryStore.create();
        AtomicInteger holders = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        try (Locks first = Locks.on(way.on(real));
                Locks second = Locks.builder(way.on(real)).leaveStoreOpen().build()) {
            List<Permits> permits = List.of(first.permits(KEY, 3), second.permits(KEY, 3));
            List<Running<Boolean>> tasks = IntStream.range(0, 12)
                    .mapToObj(i -> Running.start(() -> {
                        for (int round = 0; round < 50; round++) {
                            try (Lease lease = permits.get(i % 2).acquire(Duration.ofMinutes(5))) {
                                most.accumulateAndGet(holders.incrementAndGet(), Math::max);
                                Thread.yield();
                                holders.decrementAndGet();
                            }
                        }
                        return true;
                    }))
                    .toList();
            for (Running<Boolean> task : tasks) {
                task.result();
            }
            assertThat(most.get()).isBetween(2, 3);
            await().until(() -> real.snapshot().isEmpty());
        }
    }

    @Test
    void aReleasedPermitIsPassedOnWithinItsProcessForTwentyMilliseconds() throws Exception {
        Permits permits = process(Way.QUEUED).permits(KEY, 2);
        Lease released = take(permits, 2).get(0);
        Running<Lease> next = Running.start(() -> permits.acquire(Duration.ofHours(1)));
        await().until(() -> next.thread().getState() == Thread.State.TIMED_WAITING);
        released.close();

        Lease passedOn = next.result();
        assertThat(passedOn.keys()).isEqualTo(released.keys());
        assertThat(passedOn.token()).isEqualTo(released.token());
        assertThat(passedOn.id()).isNotEqualTo(released.id());
        assertThat(released.isHeld()).isFalse();
        assertThatThrownBy(released::ensureHeld).isInstanceOf(LeaseLostException.class);
        assertThat(released.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(passedOn.isHeld()).isTrue();

        clock.advance(Duration.ofMillis(21));
        Running<Lease> later = Running.start(() -> permits.acquire(Duration.ofHours(1)));
        await().until(() -> later.thread().getState() == Thread.State.TIMED_WAITING);
        passedOn.close();
        await().until(() -> {
            clock.advance(Duration.ofMillis(1));
            return later.isDone();
        });
        assertThat(later.result().token()).isGreaterThan(passedOn.token());
    }

    @Test
    void aCrashedHoldersPermitComesBackAfterItsTerm() {
        Permits one = process(Way.QUEUED).permits(KEY, 1);
        Lease held = one.acquire();
        faulty.hangNext(Call.RENEW);

        clock.advance(Duration.ofSeconds(11));

        assertThat(LeaseStage.reasonOf(held)).isEqualTo(Loss.Reason.UNCONFIRMED);
        Permits other = Locks.builder(memory).leaveStoreOpen().build().permits(KEY, 1);
        await().untilAsserted(() -> assertThat(other.tryAcquire()).isInstanceOf(Granted.class));
    }

    @Test
    void aPermitIsRenewed() {
        Permits permits = process(Way.QUEUED).permits(KEY, 1);
        Lease held = permits.acquire();
        for (int i = 0; i < 10; i++) {
            int calls = faulty.calls(Call.RENEW);
            clock.advance(Duration.ofMillis(3_400));
            await().until(() -> faulty.calls(Call.RENEW) > calls);
        }
        assertThat(held.isHeld()).isTrue();
    }

    @Test
    void aThreadThatHoldsAPermitGetsAnotherOne() {
        Permits permits = process(Way.QUEUED).permits(KEY, 2);
        List<Lease> two = take(permits, 2);
        assertThat(two.get(0).keys()).isNotEqualTo(two.get(1).keys());
    }

    @Test
    void anotherNumberIsRefusedWithBoth() {
        process(Way.QUEUED).permits(KEY, 5);
        assertThatThrownBy(() -> process(Way.QUEUED).permits(KEY, 4))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("5 permits")
                .hasMessageContaining("4 are declared")
                .hasMessageContaining("Nothing is held");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 1_001})
    void anImpossibleNumberIsRefused(int count) {
        Locks locks = process(Way.QUEUED);
        assertThatThrownBy(() -> locks.permits(KEY, count))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("must be between 1 and 1000, but was " + count);
        Permits permits = locks.permits(KEY, 3);
        assertThatThrownBy(() -> permits.resize(count)).isInstanceOf(InvalidRequestException.class);
        assertThat(permits.count()).isEqualTo(3);
    }

    @Test
    void aLargerNumberIsUsedByAllProcessesWithinFiveSeconds() {
        Permits one = process(Way.QUEUED).permits(KEY, 1);
        Permits other = process(Way.QUEUED).permits(KEY, 1);
        take(one, 1);

        one.resize(3);
        take(one, 1);
        clock.advance(Duration.ofMillis(5_100));

        take(other, 1);
        assertThat(other.count()).isEqualTo(3);
        assertThat(other.tryAcquire()).isInstanceOf(Busy.class);
        assertThat(process(Way.QUEUED).permits(KEY, 3).count()).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource
    void aWaitingRequestGetsOneOfThePermitsThatAreAdded(Way way) throws Exception {
        Permits one = process(way).permits(KEY, 1);
        Permits other = process(way).permits(KEY, 1);
        take(one, 1);
        List<Running<Lease>> waiting = Stream.generate(() -> Running.start(() -> other.acquire(Duration.ofHours(1))))
                .limit(3)
                .toList();
        awaitGate();

        one.resize(4);
        await().until(() -> {
            clock.advance(Duration.ofMillis(300));
            return waiting.stream().allMatch(Running::isDone);
        });

        for (Running<Lease> each : waiting) {
            assertThat(each.result().isHeld()).isTrue();
        }
        assertThat(other.tryAcquire()).isInstanceOf(Busy.class);
    }

    @ParameterizedTest
    @EnumSource
    void aWaitingRequestGetsNoneOfThePermitsThatAreTakenAway(Way way) throws Exception {
        Permits one = process(way).permits(KEY, 3);
        Permits other = process(way).permits(KEY, 3);
        List<Lease> held = take(one, 3);
        Running<Lease> waiting = Running.start(() -> other.acquire(Duration.ofHours(1)));
        awaitGate();

        one.resize(1);
        clock.advance(Duration.ofMillis(5_100));
        held.stream().filter(lease -> !isFirst(lease)).forEach(Lease::close);
        held.forEach(Lease::close);
        await().until(() -> {
            clock.advance(Duration.ofMillis(20));
            return waiting.isDone();
        });

        assertThat(isFirst(waiting.result())).isTrue();
        await().untilAsserted(() -> assertThat(memory.snapshot().holders()).hasSize(1));
    }

    private static boolean isFirst(Lease lease) {
        return lease.keys().get(0).id().endsWith("#0");
    }

    @Test
    void aStoreThatCannotRecordTheNumberHasNoPermits() {
        Locks locks = Locks.builder(new BlockingWaits(memory) {
                    @Override
                    public Optional<SharedNumbers> numbers() {
                        return Optional.empty();
                    }
                })
                .leaveStoreOpen()
                .build();
        opened.add(locks);
        assertThatThrownBy(() -> locks.permits(KEY, 2))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("'memory' can't record how many permits")
                .hasMessageContaining("Nothing is held");
    }

    @Test
    void aSmallerNumberTakesEffectAsHoldersLeave() {
        Permits permits = process(Way.QUEUED).permits(KEY, 3);
        List<Lease> held = take(permits, 3);

        permits.resize(1);
        assertThat(held).allMatch(Lease::isHeld);
        held.forEach(Lease::close);

        take(permits, 1);
        assertThat(permits.tryAcquire()).isInstanceOf(Busy.class);
    }

    @Test
    void aFailingStoreLeavesNothingBehind() {
        Permits permits = process(Way.QUEUED).permits(KEY, 2);
        faulty.failNext(Call.ACQUIRE, 1);
        assertThatThrownBy(permits::acquire).isInstanceOf(LockException.class);
        take(permits, 2);
    }

    @Test
    void closedLocksHaveNoPermits() {
        Locks locks = process(Way.QUEUED);
        Permits permits = locks.permits(KEY, 1);
        locks.close();
        assertThatThrownBy(permits::tryAcquire)
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
    }
}
