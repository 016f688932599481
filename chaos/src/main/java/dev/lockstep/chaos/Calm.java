package dev.lockstep.chaos;

import java.time.Duration;
import java.util.List;

/**
 * The time at the end of a run in which nothing is broken: from when each thread was granted something again. What the machine delays in that time
 * proves nothing, so it is left out.
 */
final class Calm {
    /** A delay may be the cause of what happens this much later. */
    private static final long EFFECT = Duration.ofSeconds(2).toNanos();

    private final List<HistoryLine> calm;
    private final List<HistoryLine> stalls;

    Calm(Records records) {
        calm = records.all("calm");
        stalls = records.all("stall");
    }

    /** Whether nothing was broken or delayed all the while, and shortly before. */
    boolean covers(long from, long to) {
        return calm.stream().anyMatch(line -> line.number("from") <= from && to <= line.nanos())
                && stalls.stream().noneMatch(stall -> stall.nanos() > from - EFFECT && stall.number("from") < to);
    }
}
