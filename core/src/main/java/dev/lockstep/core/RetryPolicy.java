package dev.lockstep.core;

import dev.lockstep.core.internal.Durations;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;

/**
 * How often, and after which pauses, something is tried again: after attempt n the pause is
 * {@code min(max, initial * multiplier^(n-1))}.
 *
 * @param attempts how many attempts there are in all; empty for no limit
 * @param jitter the part of each pause that is random, from 0 (none) to 1 (all of it)
 * @param within how long all attempts together may take; empty for no limit
 */
public record RetryPolicy(
        Duration initial,
        double multiplier,
        Duration max,
        OptionalInt attempts,
        double jitter,
        Optional<Duration> within) {
    /** Checks every part. */
    public RetryPolicy {
        Durations.requirePositive(
                "The initial pause", initial, "Give a positive duration, such as Duration.ofMillis(200).");
        Durations.requirePositive("The longest pause", max, "Give a positive duration, such as Duration.ofSeconds(5).");
        require(multiplier >= 1 && multiplier <= 1_000, "The multiplier is " + multiplier + ". Give 1 to 1,000.");
        require(
                attempts.isEmpty() || attempts.getAsInt() >= 1,
                "There are no attempts. Give 1 or more, or none for no limit.");
        require(jitter >= 0 && jitter <= 1, "The jitter is " + jitter + ". Give 0 to 1.");
        within.ifPresent(
                limit -> Durations.requirePositive("The time for all attempts", limit, "Give a positive duration."));
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new InvalidRequestException(message);
        }
    }

    /** Pauses that grow from {@code initial} by {@code multiplier} up to {@code max}, without an end. */
    public static RetryPolicy exponential(Duration initial, double multiplier, Duration max) {
        return new RetryPolicy(initial, multiplier, max, OptionalInt.empty(), 0, Optional.empty());
    }

    /** The same, with at most this many attempts in all. */
    public RetryPolicy withAttempts(int count) {
        return new RetryPolicy(initial, multiplier, max, OptionalInt.of(count), jitter, within);
    }

    /** The same, with this part of each pause random. */
    public RetryPolicy withJitter(double part) {
        return new RetryPolicy(initial, multiplier, max, attempts, part, within);
    }

    /** The same, with no attempt begun after this long. */
    public RetryPolicy within(Duration limit) {
        return new RetryPolicy(initial, multiplier, max, attempts, jitter, Optional.of(limit));
    }

    /** The pause after attempt {@code n}, counted from 1, without jitter. */
    public Duration delay(int n) {
        require(n >= 1, "Attempts are counted from 1, and this is " + n + ".");
        double nanos = initial.toNanos() * Math.pow(multiplier, n - 1.0);
        return nanos >= max.toNanos() ? max : Duration.ofNanos((long) nanos);
    }

    /** The pause after attempt {@code n}, counted from 1, with its random part taken off. */
    public Duration pauseAfter(int n) {
        return jittered(delay(n));
    }

    /** Whether there is another attempt after attempt {@code n}. */
    public boolean allowsAfter(int n) {
        return attempts.isEmpty() || n < attempts.getAsInt();
    }

    /** Calls until it succeeds, fails with something not retryable, or the attempts or the time are used up. */
    public <T> T call(Callable<T> task) throws Exception {
        return call(task, error -> error instanceof LockException lock && lock.retryable(), LockClock.system());
    }

    /** The same, with what is worth another attempt and the clock to pause on. */
    public <T> T call(Callable<T> task, Predicate<Exception> retryable, LockClock clock) throws Exception {
        Optional<Deadline> deadline = within.map(limit -> Deadline.in(limit, clock));
        for (int attempt = 1; ; attempt++) {
            try {
                return task.call();
            } catch (Exception error) {
                Duration pause = pauseAfter(attempt);
                boolean timeLeft =
                        deadline.isEmpty() || deadline.get().remaining().compareTo(pause) > 0;
                if (!retryable.test(error) || !allowsAfter(attempt) || !timeLeft) {
                    throw error;
                }
                pause(pause, clock, error);
            }
        }
    }

    private Duration jittered(Duration pause) {
        double random = jitter == 0 ? 0 : ThreadLocalRandom.current().nextDouble(jitter);
        return Duration.ofNanos((long) (pause.toNanos() * (1 - random)));
    }

    private static void pause(Duration pause, LockClock clock, Exception reason) throws InterruptedException {
        Deadline end = Deadline.in(pause, clock);
        for (long left = end.remainingNanos(); left > 0; left = end.remainingNanos()) {
            clock.park(RetryPolicy.class, left);
            if (Thread.interrupted()) {
                InterruptedException interrupt = new InterruptedException("Interrupted while pausing between attempts");
                interrupt.addSuppressed(reason);
                throw interrupt;
            }
        }
    }
}
