package dev.lockstep.coretests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockException;
import dev.lockstep.core.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {
    private static final RetryPolicy POLICY = RetryPolicy.exponential(Duration.ofMillis(200), 2, Duration.ofSeconds(5));

    /** A clock on which waiting takes no real time. */
    private static final class LeapingClock implements LockClock {
        final List<Duration> pauses = new ArrayList<>();
        private long nanos;

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public long millis() {
            return nanos / 1_000_000;
        }

        @Override
        public void park(Object blocker, long pause) {
            pauses.add(Duration.ofNanos(pause));
            nanos += pause;
        }
    }

    private final LeapingClock clock = new LeapingClock();
    private final AtomicInteger calls = new AtomicInteger();

    private String failUntil(int success) {
        if (calls.incrementAndGet() < success) {
            throw new LockException(ErrorCode.STORE_UNAVAILABLE, "call " + calls, List.of(), null);
        }
        return "done";
    }

    private String call(RetryPolicy policy, int success) throws Exception {
        return policy.call(() -> failUntil(success), error -> error instanceof LockException, clock);
    }

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }

    @Test
    void pausesGrowUpToTheLongest() {
        assertThat(IntStream.rangeClosed(1, 8).mapToObj(POLICY::delay))
                .containsExactly(
                        millis(200),
                        millis(400),
                        millis(800),
                        millis(1_600),
                        millis(3_200),
                        millis(5_000),
                        millis(5_000),
                        millis(5_000));
        assertThat(POLICY.delay(1_000_000)).isEqualTo(millis(5_000));
        assertThatThrownBy(() -> POLICY.delay(0)).isInstanceOf(InvalidRequestException.class);
    }

    @Test
    void callsUntilItSucceeds() throws Exception {
        assertThat(call(POLICY, 4)).isEqualTo("done");
        assertThat(calls).hasValue(4);
        assertThat(clock.pauses).containsExactly(millis(200), millis(400), millis(800));
    }

    @Test
    void threeRetriesAreFourAttempts() {
        RetryPolicy inventory =
                RetryPolicy.exponential(millis(100), 2, millis(400)).withAttempts(4);
        assertThatThrownBy(() -> call(inventory, 5)).hasMessage("call 4");
        assertThat(clock.pauses).containsExactly(millis(100), millis(200), millis(400));
        assertThat(inventory.allowsAfter(3)).isTrue();
        assertThat(inventory.allowsAfter(4)).isFalse();
    }

    @Test
    void noAttemptBeginsAfterTheTimeIsUp() {
        assertThatThrownBy(() -> call(POLICY.within(Duration.ofSeconds(1)), 100))
                .hasMessage("call 3");
        assertThat(clock.nanos()).isLessThan(Duration.ofSeconds(1).toNanos());
    }

    @Test
    void whatIsNotRetryableFailsAtOnce() {
        assertThatThrownBy(() -> POLICY.call(() -> {
                    calls.incrementAndGet();
                    throw new LockException(ErrorCode.LEASE_LOST, "lost", List.of(), null);
                }))
                .hasMessage("lost");
        assertThatThrownBy(() -> POLICY.call(() -> {
                    calls.incrementAndGet();
                    throw new IllegalStateException("mine");
                }))
                .hasMessage("mine");
        assertThat(calls).hasValue(2);
    }

    @Test
    void jitterTakesAtMostItsPartOfThePause() throws Exception {
        call(POLICY.withJitter(0.5), 200);
        assertThat(clock.pauses).hasSize(199);
        for (int i = 0; i < clock.pauses.size(); i++) {
            Duration full = POLICY.delay(i + 1);
            assertThat(clock.pauses.get(i)).isBetween(full.dividedBy(2), full);
        }
        assertThat(clock.pauses.subList(10, 199)).doesNotHaveDuplicates();
    }

    @Test
    void interruptEndsThePause() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> call(POLICY, 3))
                .isInstanceOf(InterruptedException.class)
                .satisfies(error -> assertThat(error.getSuppressed()).hasSize(1));
        assertThat(calls).hasValue(1);
    }

    @Test
    void badPoliciesAreRejected() {
        List<Runnable> bad = List.of(
                () -> RetryPolicy.exponential(Duration.ZERO, 2, millis(1)),
                () -> RetryPolicy.exponential(millis(-1), 2, millis(1)),
                () -> RetryPolicy.exponential(millis(1), 0.5, millis(1)),
                () -> RetryPolicy.exponential(millis(1), Double.NaN, millis(1)),
                () -> RetryPolicy.exponential(millis(1), 2, Duration.ZERO),
                () -> POLICY.withAttempts(0),
                () -> POLICY.withJitter(-0.1),
                () -> POLICY.withJitter(1.1),
                () -> POLICY.within(Duration.ZERO));
        assertThat(bad)
                .allSatisfy(making -> assertThatThrownBy(making::run)
                        .isInstanceOf(InvalidRequestException.class)
                        .hasMessageContaining("Give"));
    }
}
