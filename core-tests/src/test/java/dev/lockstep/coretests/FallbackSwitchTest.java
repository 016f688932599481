package dev.lockstep.coretests;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Busy;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.FencingToken;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockEvent;
import dev.lockstep.core.LockException;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.core.fallback.FallbackState.Grants;
import dev.lockstep.testkit.Tenancy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** When a pair switches and when not, and what becomes of those who hold and wait. */
@Execution(ExecutionMode.CONCURRENT)
class FallbackSwitchTest extends FallbackStage {
    @Test
    void locksAreOnThePrimaryAsLongAsItCanBeReached() {
        Party process = process();
        try (Lease lease = process.locks.acquire(exclusive(KEY))) {
            assertThat(first.snapshot().holders()).hasSize(1);
            assertThat(second.snapshot().holders()).isEmpty();
            assertThat(process.locks.snapshot().fallback()).hasValueSatisfying(state -> {
                assertThat(state.onSecondary()).isFalse();
                assertThat(state.grants()).isEqualTo(Grants.YES);
            });
            assertThat(lease.token().epoch()).isPositive();
        }
    }

    @Test
    void thePrimaryThatIsAwayIsReplacedAfterTheQuietTime() {
        Party process = process();
        Lease lost = process.locks.acquire(exclusive(KEY));
        process.primary.cut();
        pass(AWAY.plusSeconds(1));
        LockEvent.Switched switched = process.probe.await(LockEvent.Switched.class);
        assertThat(switched.state().onSecondary()).isTrue();
        assertThat(switched.reason()).contains("can't be reached");

        pass(LONGEST);
        assertThat(lost.isHeld()).as("the lease of before").isFalse();
        assertThat(process.grants()).isEqualTo(Grants.QUIET);
        assertThatThrownBy(() -> process.locks.tryAcquire(exclusive(KEY)))
                .isInstanceOf(LockException.class)
                .hasMessageContaining("No lock is granted for another");

        passUntilOpen(process);
        process.probe.await(LockEvent.SwitchCompleted.class);
        try (Lease lease = process.locks.acquire(exclusive(KEY))) {
            assertThat(second.snapshot().holders()).hasSize(1);
            assertThat(lease.token()).isGreaterThan(lost.token());
        }
        assertThat(lost.release()).isEqualTo(ReleaseOutcome.LOST);
    }

    @Test
    void contentionAndTimeoutsNeverSwitch() {
        Party holder = process();
        Party asker = process();
        try (Lease lease = keepRenewed(holder.locks.acquire(exclusive(KEY)))) {
            CompletableFuture<Lease> waiting =
                    asker.locks.acquireAsync(exclusive(KEY).within(AWAY.multipliedBy(3)));
            pass(AWAY.multipliedBy(4));
            await().untilAsserted(() -> assertThat(waiting).isCompletedExceptionally());
            assertThat(asker.locks.tryAcquire(exclusive(KEY))).isInstanceOf(Busy.class);
            assertThat(lease.isHeld()).isTrue();
        }
        assertThat(asker.probe.ofType(LockEvent.Switched.class)).isEmpty();
        assertThat(asker.store.state().onSecondary()).isFalse();
    }

    @Test
    void aMomentWithoutAnswerDoesNotSwitch() {
        Party process = process();
        process.locks.acquire(exclusive(KEY)).close();
        process.primary.cut();
        pass(AWAY.minusSeconds(2));
        process.primary.mend();
        pass(AWAY.multipliedBy(2));
        assertThat(process.probe.ofType(LockEvent.Switched.class)).isEmpty();
    }

    @Test
    void whoWaitsGoesOverToTheOtherStore() throws Exception {
        Party holder = process();
        Party asker = process();
        holder.locks.acquire(exclusive(KEY).forTerm(LONGEST));
        CompletableFuture<Lease> blocked =
                CompletableFuture.supplyAsync(() -> asker.locks.acquire(exclusive(KEY)), NEW_THREAD);
        await().until(() -> first.snapshot().waiters().size() == 1);
        CompletableFuture<Lease> waiting = asker.locks.acquireAsync(exclusive(KEY));
        await().until(() -> first.snapshot().waiters().size() == 2);
        holder.primary.cut();
        asker.primary.cut();
        pass(AWAY.plusSeconds(1));
        passUntilOpen(asker);
        try (Lease one = (Lease) CompletableFuture.anyOf(blocked, waiting).get(60, TimeUnit.SECONDS)) {
            assertThat(one.token().epoch()).isEqualTo(asker.store.state().epoch());
            assertThat(second.snapshot().holders()).hasSize(1);
        }
        blocked.get(60, TimeUnit.SECONDS).close();
        waiting.get(60, TimeUnit.SECONDS).close();
        assertThat(first.snapshot().waiters()).isEmpty();
    }

    @Test
    void oneProcessThatSwitchesTakesTheOthersAlong() {
        Party cutOff = process();
        Party other = process();
        Lease lease = other.locks.acquire(exclusive(KEY));
        cutOff.locks.acquire(exclusive(Tenancy.user("u2"))).close();
        cutOff.primary.cut();
        pass(AWAY.plusSeconds(1));
        other.probe.await(LockEvent.Switched.class);
        await().untilAsserted(() -> {
            pass(Duration.ofMillis(500));
            assertThat(lease.isHeld()).isFalse();
        });
        passUntilOpen(other);
        awaitGrants(cutOff, Grants.YES);
        assertThat(cutOff.locks.tryAcquire(exclusive(KEY))).isInstanceOf(Granted.class);
        assertThat(other.locks.tryAcquire(exclusive(KEY))).isInstanceOf(Busy.class);
    }

    @Test
    void itGoesBackWhenThePrimaryIsThereForEverybody() {
        Party cutOff = process();
        Party other = process();
        other.locks.acquire(exclusive(KEY)).close();
        FencingToken before = cutOff.locks.call(exclusive(KEY), Lease::token);
        cutOff.primary.cut();
        pass(AWAY.plusSeconds(1));
        passUntilOpen(other);
        FencingToken between = other.locks.call(exclusive(KEY), Lease::token);

        pass(BACK.multipliedBy(2));
        assertThat(other.store.state().onSecondary()).as("one process objects").isTrue();
        cutOff.primary.mend();
        pass(BACK.plus(EPOCH_TERM));
        assertThat(other.store.state().onSecondary()).isFalse();
        passUntilOpen(other);
        FencingToken after = other.locks.call(exclusive(KEY), Lease::token);
        assertThat(between).isGreaterThan(before);
        assertThat(after).isGreaterThan(between);
        assertThat(other.probe.awaitCount(LockEvent.Switched.class, 2)).hasSize(2);
    }

    @Test
    void closingEndsThoseWhoWaitForATurn() {
        Party process = process();
        process.locks.acquire(exclusive(KEY)).close();
        process.primary.cut();
        pass(AWAY.plusSeconds(1));
        process.probe.await(LockEvent.Switched.class);
        CompletableFuture<Lease> blocked =
                CompletableFuture.supplyAsync(() -> process.locks.acquire(exclusive(KEY)), NEW_THREAD);
        CompletableFuture<Lease> waiting = process.locks.acquireAsync(exclusive(KEY));
        process.locks.close();
        for (CompletableFuture<Lease> each : List.of(blocked, waiting)) {
            assertThatThrownBy(() -> each.get(60, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOfSatisfying(
                            LockException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
        }
    }
}
