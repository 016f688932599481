package dev.lockstep.coretests;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.Busy;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.Locks;
import dev.lockstep.core.Loss;
import dev.lockstep.core.OrderViolationException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks bound to a lease, and requests made through it, are children of it for as long as it lasts. */
@Timeout(300)
class BoundTasksTest {
    private static final LockKind ITEM = LockKind.of("item", 2);
    private static final LockKey FIRST = LockKind.of("order", 1).key("a");
    private static final LockKey SECOND = ITEM.key("b");
    private static final LockKey ALSO_SECOND = ITEM.key("c");
    private static final LockKey THIRD = LockKind.of("invoice", 3).key("d");
    private static final Executor NEW_THREAD = task -> new Thread(task, "bound").start();

    private final Locks locks = Locks.inMemory();

    @AfterEach
    void close() {
        locks.close();
    }

    // ---- after the lease

    @Test
    void taskThatRunsAfterItsLeaseIsRefused() {
        Runnable late;
        try (Lease first = locks.acquire(exclusive(THIRD))) {
            late = first.bind(() -> {
                locks.tryAcquire(exclusive(FIRST));
            });
        }
        try (Lease second = locks.acquire(exclusive(FIRST))) {
            assertThat(second.isHeld()).isTrue();
            assertThatThrownBy(late::run)
                    .isInstanceOfSatisfying(
                            LeaseLostException.class,
                            error -> assertThat(error.loss().reason()).isEqualTo(Loss.Reason.CLOSED))
                    .hasMessageContaining("Nothing was acquired");
        }
    }

    @Test
    void requestsThroughAClosedLeaseAreRefused() {
        Lease lease = locks.acquire(exclusive(FIRST));
        lease.close();
        assertThatThrownBy(() -> lease.acquire(exclusive(SECOND))).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> lease.tryAcquire(exclusive(SECOND))).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> lease.acquireAsync(exclusive(SECOND))).isInstanceOf(LeaseLostException.class);
        assertThat(locks.snapshot().isEmpty()).isTrue();
    }

    @Test
    void taskThatOutlivesItsLeaseAcquiresNothingMore() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        CompletableFuture<Void> task;
        try (Lease lease = locks.acquire(exclusive(FIRST))) {
            CountDownLatch started = new CountDownLatch(1);
            task = CompletableFuture.runAsync(
                    lease.bind(() -> {
                        started.countDown();
                        await(closed);
                        locks.acquire(exclusive(SECOND));
                    }),
                    NEW_THREAD);
            await(started);
        }
        closed.countDown();
        assertThatThrownBy(() -> task.get(60, TimeUnit.SECONDS)).hasCauseInstanceOf(LeaseLostException.class);
        assertThat(locks.snapshot().isEmpty()).isTrue();
    }

    @Test
    void locksOfATaskThatOutlivesItsLeaseDoNotConcernTheThreadsNextRequest() throws Exception {
        CountDownLatch holds = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture<Void> task;
        try (Lease lease = locks.acquire(exclusive(FIRST))) {
            task = CompletableFuture.runAsync(
                    lease.bind(() -> locks.run(exclusive(FIRST, THIRD), inner -> {
                        holds.countDown();
                        await(end);
                    })),
                    NEW_THREAD);
            await(holds);
        }
        locks.acquire(exclusive(SECOND)).close();
        assertThat(locks.tryAcquire(exclusive(FIRST)))
                .as("still used by the task")
                .isInstanceOf(Busy.class);
        end.countDown();
        task.get(60, TimeUnit.SECONDS);
        assertThat(locks.snapshot().isEmpty()).isTrue();
    }

    @Test
    void childThatWaitsIsRefusedWhenItsLeaseEnds() throws Exception {
        Lease blocker = locks.acquireAsync(exclusive(SECOND)).join();
        Lease lease = locks.acquireAsync(exclusive(FIRST)).join();
        CompletableFuture<Lease> child = lease.acquireAsync(exclusive(SECOND).within(Duration.ofMinutes(2)));
        lease.close();
        blocker.close();
        assertThatThrownBy(() -> child.get(60, TimeUnit.SECONDS)).hasCauseInstanceOf(LeaseLostException.class);
        assertThat(locks.snapshot().isEmpty()).isTrue();
    }

    // ---- beside each other

    @Test
    void tasksBoundToOneLeaseExcludeEachOther() {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        try (Lease lease = locks.acquire(exclusive(FIRST))) {
            together(
                    8,
                    lease,
                    () -> locks.run(exclusive(SECOND).within(Duration.ofMinutes(2)), inner -> {
                        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                        TimeUnit.MILLISECONDS.sleep(2);
                        inside.decrementAndGet();
                    }));
        }
        assertThat(most).hasValue(1);
    }

    @Test
    void tasksBoundToOneLeaseMayLockThingsOfOneRank() {
        for (int round = 0; round < 200; round++) {
            try (Lease lease = locks.acquire(exclusive(FIRST))) {
                AtomicInteger number = new AtomicInteger();
                together(2, lease, () -> {
                    LockKey own = number.getAndIncrement() == 0 ? SECOND : ALSO_SECOND;
                    locks.run(exclusive(own), inner -> Thread.onSpinWait());
                });
            }
        }
    }

    private interface Action {
        void run() throws Exception;
    }

    private static void together(int count, Lease lease, Action action) {
        List<CompletableFuture<Void>> tasks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            tasks.add(CompletableFuture.runAsync(
                    lease.bind(() -> {
                        try {
                            action.run();
                        } catch (Exception e) {
                            throw new AssertionError("The task failed", e);
                        }
                    }),
                    NEW_THREAD));
        }
        tasks.forEach(task -> task.orTimeout(180, TimeUnit.SECONDS).join());
    }

    @Test
    void childAgainstItsParentsOrderIsRefused() {
        try (Lease lease = locks.acquire(exclusive(SECOND))) {
            assertThatThrownBy(() -> lease.acquire(exclusive(FIRST))).isInstanceOf(OrderViolationException.class);
            assertThatThrownBy(lease.bind(() -> locks.acquire(exclusive(ALSO_SECOND)))::call)
                    .isInstanceOf(OrderViolationException.class);
            assertThat(locks.tryAcquire(exclusive(THIRD))).isInstanceOf(Granted.class);
        }
    }

    // ---- without a thread

    @Test
    void asynchronousRequestInABoundTaskIsNested() {
        try (Lease lease = locks.acquire(exclusive(FIRST))) {
            lease.bind(() -> {
                        Lease inner = locks.acquireAsync(exclusive(FIRST))
                                .orTimeout(60, TimeUnit.SECONDS)
                                .join();
                        assertThat(inner.isHeld()).isTrue();
                        inner.close();
                    })
                    .run();
        }
    }

    @Test
    void asynchronousRequestsThroughALeaseAreNested() {
        Lease lease = locks.acquireAsync(exclusive(FIRST)).join();
        Lease inner = lease.acquireAsync(exclusive(FIRST, SECOND)).join();
        Lease innermost = inner.acquireAsync(exclusive(SECOND)).join();
        assertThat(innermost.isHeld()).isTrue();
        assertThat(lease.tryAcquire(exclusive(SECOND))).as("a sibling").isInstanceOf(Busy.class);
        assertThatThrownBy(() -> inner.acquireAsync(exclusive(FIRST.kind().key("z"))))
                .isInstanceOf(OrderViolationException.class);
        innermost.close();
        inner.close();
        lease.close();
        assertThat(locks.snapshot().isEmpty()).isTrue();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError("Nothing interrupts this", e);
        }
    }
}
