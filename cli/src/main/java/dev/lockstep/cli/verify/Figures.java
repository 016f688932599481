package dev.lockstep.cli.verify;

import java.time.Duration;
import java.util.Locale;

/** Durations as people read them. */
final class Figures {
    private static final int SECOND = 1000;

    private Figures() {}

    /** Such as {@code 12 ms} or {@code 1.5 s}. */
    static String of(Duration time) {
        long millis = time.toMillis();
        if (millis == 0) {
            return "under 1 ms";
        }
        return millis < SECOND ? millis + " ms" : String.format(Locale.ROOT, "%.1f s", (double) millis / SECOND);
    }
}
