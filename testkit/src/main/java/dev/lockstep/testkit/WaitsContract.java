package dev.lockstep.testkit;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.testkit.Named.CHARACTER;
import static dev.lockstep.testkit.Named.EQUIPMENT;
import static dev.lockstep.testkit.Scenario.refused;
import static dev.lockstep.testkit.Scenario.take;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Busy;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.LockTimeoutException;
import dev.lockstep.core.Locks;
import dev.lockstep.core.ReleaseOutcome;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How waits end, and that they leave nothing behind. */
interface WaitsContract extends Scenario {
    /** How long the waits that are to time out last. */
    Duration SHORT = Duration.ofMillis(300);

    @Test
    @DisplayName("a wait that timed out leaves nothing queued and nothing held")
    default void timeoutLeavesNothing() {
        Lease held = take(locks(), exclusive(EQUIPMENT.key("B")));
        LockKey early = CHARACTER.key("A");
        Task<Lease> late = startAcquire(
                "late", other(), exclusive(early, EQUIPMENT.key("B")).within(SHORT));
        stage().awaitWaitingOrDone(late);
        Task<Lease> next = startAcquire("next", third(), exclusive(EQUIPMENT.key("B")));
        stage().awaitWaiting(next);
        passTime(SHORT);
        assertThat(late.failure()).isInstanceOf(LockTimeoutException.class);
        assertThat(stage().waiters()).extracting(waiter -> waiter.owner()).doesNotContain("late");
        take(third(), exclusive(early)).close();
        held.close();
        next.result().close();
    }

    @Test
    @DisplayName("tryAcquire waits for the given time, and then returns busy")
    default void tryAcquireWaits() {
        Lease held = take(locks(), exclusive(CHARACTER.key("A")));
        Task<Object> waiting = start(
                "trying", () -> other().tryAcquire(exclusive(CHARACTER.key("A")).within(SHORT)));
        stage().awaitWaitingOrDone(waiting);
        passTime(SHORT);
        assertThat(waiting.result()).isInstanceOf(Busy.class);
        held.close();
    }

    @Test
    @DisplayName("an interrupt ends the wait, leaves nothing held, and stays set")
    default void interruptEndsTheWait() {
        Lease held = take(locks(), exclusive(EQUIPMENT.key("B")));
        Task<Boolean> waiting = start("interrupted", () -> {
            try {
                other().acquire(exclusive(CHARACTER.key("A"), EQUIPMENT.key("B")))
                        .close();
                return false;
            } catch (LockException e) {
                return e.code() == ErrorCode.INTERRUPTED
                        && Thread.currentThread().isInterrupted();
            }
        });
        stage().awaitWaiting(waiting);
        waiting.thread().interrupt();
        assertThat(waiting.result()).isTrue();
        assertThat(stage().waiters()).isEmpty();
        take(third(), exclusive(CHARACTER.key("A"))).close();
        held.close();
        take(third(), exclusive(EQUIPMENT.key("B"))).close();
    }

    @Test
    @DisplayName("an interrupt that came before the call is not lost")
    default void interruptBeforeTheCall() {
        Lease held = take(locks(), exclusive(CHARACTER.key("A")));
        Task<Boolean> waiting = start("interrupted", () -> {
            Thread.currentThread().interrupt();
            try {
                other().acquire(exclusive(CHARACTER.key("A"))).close();
                return false;
            } catch (LockException e) {
                return e.code() == ErrorCode.INTERRUPTED
                        && Thread.currentThread().isInterrupted();
            }
        });
        assertThat(waiting.result()).isTrue();
        held.close();
    }

    @Test
    @DisplayName("an asynchronous request is served when its turn comes")
    default void asyncIsServed() {
        Lease held = take(locks(), exclusive(CHARACTER.key("A")));
        CompletableFuture<Lease> future =
                other().acquireAsync(exclusive(CHARACTER.key("A")).as("async"));
        awaitAsyncWaiting();
        assertThat(future).isNotDone();
        held.close();
        future.join().close();
    }

    private void awaitAsyncWaiting() {
        Eventually.await(this::asyncWaits, () -> "the asynchronous request should wait");
    }

    private boolean asyncWaits() {
        return stage().waiters().stream().anyMatch(waiter -> waiter.owner().equals("async"));
    }

    @Test
    @DisplayName("an asynchronous request times out")
    default void asyncTimesOut() {
        Lease held = take(locks(), exclusive(CHARACTER.key("A")));
        CompletableFuture<Lease> future =
                other().acquireAsync(exclusive(CHARACTER.key("A")).as("async").within(SHORT));
        Eventually.await(() -> future.isDone() || asyncWaits(), () -> "the asynchronous request should wait");
        passTime(SHORT);
        assertThat(failure(future)).isInstanceOf(LockTimeoutException.class);
        assertThat(stage().waiters()).isEmpty();
        held.close();
    }

    private static Throwable failure(CompletableFuture<?> future) {
        Eventually.await(future::isDone, () -> "the request should end");
        Throwable error = future.handle((answer, e) -> e).join();
        return error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    }

    @Test
    @DisplayName("cancelling an asynchronous request takes it out of the queue")
    default void cancelDequeues() {
        Lease held = take(locks(), exclusive(EQUIPMENT.key("B")));
        CompletableFuture<Lease> future = other().acquireAsync(
                        exclusive(CHARACTER.key("A"), EQUIPMENT.key("B")).as("async"));
        awaitAsyncWaiting();
        assertThat(future.cancel(true)).isTrue();
        stage().awaitNoWaiters();
        Eventually.await(() -> stage().isFree(CHARACTER.key("A")), () -> "a cancelled request should hold nothing");
        held.close();
        LockRequest next = exclusive(CHARACTER.key("A"), EQUIPMENT.key("B"));
        third().acquire(next.within(Duration.ofMinutes(1)))
                .close(); // the cancelled one may still be on its way out of the server
    }

    @Test
    @DisplayName(
            "closing the locks ends their waits with an error and their leases as lost, but releases nothing before its holder does")
    default void closingEndsWaits() {
        Lease held = take(locks(), exclusive(CHARACTER.key("A")));
        Locks closing = third();
        Lease leftOpen = take(closing, exclusive(EQUIPMENT.key("B")));
        Task<Lease> waiting = startAcquire("waiting", closing, exclusive(CHARACTER.key("A")));
        stage().awaitWaiting(waiting);
        CompletableFuture<Lease> future =
                closing.acquireAsync(exclusive(CHARACTER.key("A")).as("async"));
        awaitAsyncWaiting();
        closing.close();
        assertThat(waiting.failure()).isInstanceOfSatisfying(LockException.class, WaitsContract::isClosed);
        assertThat(failure(future)).isInstanceOfSatisfying(LockException.class, WaitsContract::isClosed);
        assertThat(leftOpen.isHeld()).isFalse();
        stage().awaitNoWaiters();
        refused(other(), exclusive(EQUIPMENT.key("B")));
        assertThat(leftOpen.release()).isEqualTo(ReleaseOutcome.LOST);
        take(other(), exclusive(EQUIPMENT.key("B"))).close();
        held.close();
    }

    private static void isClosed(LockException error) {
        assertThat(error.code()).as(error.toString()).isEqualTo(ErrorCode.CLOSED);
    }

    @Test
    @DisplayName("a request without a limit waits until it is granted")
    default void withoutLimit() {
        Lease held = take(locks(), exclusive(CHARACTER.key("A")));
        Task<Lease> waiting =
                startAcquire("waiting", other(), exclusive(CHARACTER.key("A")).withoutLimit());
        stage().awaitWaiting(waiting);
        held.close();
        waiting.result().close();
    }

    @Test
    @DisplayName("closing the store ends waits with an error")
    default void closingTheStoreEndsWaits() {
        take(locks(), exclusive(CHARACTER.key("A")));
        Locks party = third();
        Task<Lease> waiting = startAcquire("waiting", party, exclusive(CHARACTER.key("A")));
        stage().awaitWaiting(waiting);
        CompletableFuture<Lease> future =
                party.acquireAsync(exclusive(CHARACTER.key("A")).as("async"));
        awaitAsyncWaiting();
        stage().closeStore();
        assertThat(waiting.failure()).isInstanceOfSatisfying(LockException.class, WaitsContract::isClosed);
        assertThat(failure(future)).isInstanceOfSatisfying(LockException.class, WaitsContract::isClosed);
    }
}
