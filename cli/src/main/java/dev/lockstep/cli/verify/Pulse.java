package dev.lockstep.cli.verify;

import java.time.Duration;

/** The sign of life of a running trial: how far it is, and when it last got further. */
final class Pulse {
    private volatile long last = System.nanoTime();
    private volatile String progress = "";

    /** A trial begins. */
    void begin() {
        progress = "";
        beat();
    }

    /** It got further. */
    void beat() {
        last = System.nanoTime();
    }

    /** It got further: the number done, and of how many. */
    void beat(int done, int all) {
        progress = done + " of " + all;
        beat();
    }

    Duration sinceLast() {
        return Duration.ofNanos(System.nanoTime() - last);
    }

    /** How far it is; empty when it doesn't count. */
    String progress() {
        return progress;
    }
}
