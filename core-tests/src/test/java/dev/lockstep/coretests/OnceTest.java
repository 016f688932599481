package dev.lockstep.coretests;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Granted;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.scheduling.LockCheck;
import dev.lockstep.core.scheduling.Once;
import dev.lockstep.testkit.FaultyStore.Call;
import dev.lockstep.testkit.HungCall;
import dev.lockstep.testkit.Tenancy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // some leases are only there to be held
class OnceTest extends LeaseStage {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private final List<String> ran = new ArrayList<>();

    @Test
    void aShortTaskRunsOnOneNodeInTheMinimumTime() throws Exception {
        assertThat(locks.once(KEY, MINUTE, lease -> ran.add("here"))).isTrue();
        assertThat(other.once(KEY, MINUTE, lease -> ran.add("there"))).isFalse();
        assertThat(locks.once(KEY, MINUTE, lease -> ran.add("again"))).isFalse();
        clock.advance(Duration.ofSeconds(59));
        assertThat(other.once(KEY, MINUTE, lease -> ran.add("there"))).isFalse();

        clock.advance(Duration.ofSeconds(2));

        await().until(() -> other.once(KEY, MINUTE, lease -> ran.add("next")));
        assertThat(ran).containsExactly("here", "next");
    }

    @Test
    void withoutAMinimumTimeItIsReleasedWhenTheTaskEnds() throws Exception {
        assertThat(locks.once(KEY, Duration.ZERO, lease -> ran.add("here"))).isTrue();
        assertThat(memory.snapshot().isEmpty()).isTrue();
    }

    @Test
    void aTaskThatFailsIsHeldForTheMinimumTimeToo() {
        assertThatThrownBy(() -> locks.once(KEY, MINUTE, lease -> {
                    throw new IOException("no space left");
                }))
                .isInstanceOf(IOException.class);
        othersAreRefused();
    }

    @Test
    void aLongTaskIsRenewedBeyondTheMinimumTime() throws Exception {
        locks.once(KEY, Duration.ofSeconds(12), lease -> {
            for (int i = 0; i < 5; i++) {
                int calls = store.calls(Call.RENEW);
                clock.advance(Duration.ofSeconds(i == 0 ? 9 : 4));
                await().until(() -> store.calls(Call.RENEW) > calls);
            }
            lease.ensureHeld();
            othersAreRefused();
        });
        await().until(() -> memory.snapshot().isEmpty());
    }

    @Test
    void aTaskWhoseLockIsLostEndsWithAnError() {
        assertThatThrownBy(() -> locks.once(KEY, Duration.ZERO, lease -> {
                    store.forgetAll();
                    clock.advance(UNTIL_RENEWAL);
                    lease.lost().toCompletableFuture().join();
                }))
                .isInstanceOf(LeaseLostException.class);
    }

    @Test
    void whatTheTaskLocksIsNestedAndWhatFollowsIsNot() throws Exception {
        locks.once(KEY, MINUTE, lease -> {
            assertThat(locks.tryAcquire(exclusive(KEY))).isInstanceOf(Granted.class);
            locks.acquire(exclusive(OTHER_KIND)).close();
        });
        locks.acquire(exclusive(Tenancy.user("u2"))).close(); // of the same rank as the key that is still held
    }

    @Test
    void aRequestThatWaitsRunsTheTaskWhenTheLockIsReleased() throws Exception {
        Lease held = other.acquire(exclusive(KEY));
        Running<Boolean> waiting =
                Running.start(() -> Once.run(locks, exclusive(KEY), MINUTE, lease -> ran.add("after the wait")));
        await().until(() -> !memory.snapshot().waiters().isEmpty());
        held.close();
        assertThat(waiting.result()).isTrue();
        assertThat(ran).containsExactly("after the wait");
    }

    @Test
    void aMinimumTimeBeyondTheLongestHoldIsRefused() throws Exception {
        LockRequest request = exclusive(KEY).atMost(Duration.ofSeconds(30)).withoutWaiting();
        assertThatThrownBy(() -> Once.run(locks, request, MINUTE, lease -> ran.add("here")))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("minimum time of a hold is PT1M")
                .hasMessageContaining("Nothing is held, and the task was not run");
        assertThat(ran).isEmpty();
        assertThat(memory.snapshot().isEmpty()).isTrue();
        assertThat(Once.run(locks, request, Duration.ofSeconds(30), lease -> ran.add("here")))
                .isTrue();
    }

    @Test
    void aReleaseThatHangsDelaysNoOtherOne() throws Exception {
        locks.once(KEY, Duration.ofSeconds(5), lease -> ran.add("first"));
        locks.once(Tenancy.user("u2"), Duration.ofSeconds(6), lease -> ran.add("second"));
        HungCall hung = store.hangNext(Call.RELEASE);
        await().until(() -> {
            clock.advance(Duration.ofMillis(500));
            return hung.isReached();
        });
        try {
            await().until(() -> {
                clock.advance(Duration.ofMillis(500));
                return store.calls(Call.RELEASE) == 2;
            });
        } finally {
            hung.letGo();
        }
        await().until(() -> memory.snapshot().isEmpty());
    }

    @Test
    void aMinimumTimeThatIsNegativeOrEndlessIsRefused() {
        for (Duration time : List.of(Duration.ofSeconds(-1), Duration.ofDays(50_000))) {
            assertThatThrownBy(() -> locks.once(KEY, time, lease -> ran.add("here")))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("minimum time");
        }
        assertThat(ran).isEmpty();
        assertThat(memory.snapshot().isEmpty()).isTrue();
    }

    @Test
    void aFailingStoreRunsNothingAndHoldsNothing() {
        store.failNext(Call.RENEW, 1);
        assertThatThrownBy(() -> locks.once(KEY, MINUTE, lease -> ran.add("here")))
                .isInstanceOf(LockException.class);
        assertThat(ran).isEmpty();
        assertThat(memory.snapshot().isEmpty()).isTrue();
    }

    @Test
    void anInterruptedThreadRunsNothingAndLeavesNothingHeld() {
        HungCall hung = store.hangNext(Call.ACQUIRE);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> locks.once(KEY, MINUTE, lease -> ran.add("here")))
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERRUPTED));
        assertThat(Thread.interrupted()).isTrue();
        hung.letGo();
        assertThat(ran).isEmpty();
        await().until(() -> memory.snapshot().isEmpty());
    }

    @Test
    void aTaskCanCheckThatItRunsUnderItsLock() throws Exception {
        assertThatThrownBy(LockCheck::requireLocked)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("without its lock");
        assertThat(locks.once(KEY, Duration.ZERO, lease -> LockCheck.requireLocked()))
                .isTrue();
        try (LockCheck.Scope pretended = LockCheck.pretendLocked()) {
            LockCheck.requireLocked();
        }
        assertThatThrownBy(LockCheck::requireLocked).isInstanceOf(IllegalStateException.class);
    }
}
