package dev.lockstep.benchmarks.provisioning;

import java.util.concurrent.TimeUnit;

/** Shows how something long gets on, now and then. */
final class ProgressLine {
    private static final long EVERY = TimeUnit.SECONDS.toNanos(5);

    private long shownAt = System.nanoTime();

    void show(String text) {
        long now = System.nanoTime();
        if (now - shownAt >= EVERY) {
            shownAt = now;
            System.err.println("  " + text);
        }
    }
}
