package dev.lockstep.testkit;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits, in real time, for what must come about soon. */
final class Eventually {
    /** Far more than anything here takes, so that only what never comes fails. */
    static final Duration LIMIT = Duration.ofSeconds(60);

    private static final long PAUSE = TimeUnit.MICROSECONDS.toNanos(300);

    private Eventually() {}

    static void await(BooleanSupplier condition, Supplier<String> failure) {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("Not within " + LIMIT.toSeconds() + " s: " + failure.get());
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new AssertionError("Interrupted while waiting: " + failure.get());
            }
            LockSupport.parkNanos(PAUSE);
        }
    }
}
