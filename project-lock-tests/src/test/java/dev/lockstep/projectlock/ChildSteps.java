package dev.lockstep.projectlock;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** What happens to a process in the middle of a transaction. */
final class ChildSteps {
    /** The exit code of a process that ended before a step. */
    static final int DIED = 9;

    private static final long LONGEST_STALL = TimeUnit.MILLISECONDS.toNanos(5);

    private ChildSteps() {}

    /** Every step takes a random time. */
    static Steps stalling() {
        return step -> {
            long end = System.nanoTime() + ThreadLocalRandom.current().nextLong(LONGEST_STALL);
            while (end - System.nanoTime() > 0) {
                LockSupport.parkNanos(end - System.nanoTime());
            }
        };
    }

    /** The process ends before a step, counted from 1, after it has said which. */
    static Steps dyingBefore(int number) {
        AtomicInteger count = new AtomicInteger();
        return step -> {
            if (count.incrementAndGet() == number) {
                System.out.println(step);
                System.out.flush();
                Runtime.getRuntime().halt(DIED);
            }
        };
    }

    /** Says that the step comes next, and waits for a line before it is done. */
    static Steps waitingBefore(String awaited) {
        return step -> {
            if (step.equals(awaited)) {
                System.out.println("before " + step);
                awaitLine();
            }
        };
    }

    private static void awaitLine() {
        try {
            int read = System.in.read();
            while (read >= 0 && read != '\n') {
                read = System.in.read();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
