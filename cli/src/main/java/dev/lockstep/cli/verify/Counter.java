package dev.lockstep.cli.verify;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A number that is read and written back in two steps, so that two who are inside together lose an increment. */
final class Counter {
    private static final int LONGEST_MICROS = 300;

    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger meetings = new AtomicInteger();
    private volatile int value;

    void add(Random random) throws InterruptedException {
        if (inside.incrementAndGet() > 1) {
            meetings.incrementAndGet();
        }
        int read = value;
        TimeUnit.MICROSECONDS.sleep(random.nextInt(LONGEST_MICROS));
        value = read + 1;
        inside.decrementAndGet();
    }

    int value() {
        return value;
    }

    /** How often one came in while another was inside. */
    int meetings() {
        return meetings.get();
    }
}
