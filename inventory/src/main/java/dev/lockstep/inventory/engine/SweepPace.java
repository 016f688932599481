package dev.lockstep.inventory.engine;

import java.time.Duration;

/**
 * How long to wait until the next sweep. A process that mostly finds reservations which another process ends at the same moment sweeps
 * less often, up to eight times; as soon as it finds some that no other process has ended, it is back at its usual pace.
 */
final class SweepPace {
    private static final int SLOWEST = 8;
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(30);

    private final Duration usual;
    private int factor = 1;

    SweepPace(Duration usual) {
        this.usual = usual;
    }

    void swept(Sweep sweep) {
        if (sweep.endedByOthers() > sweep.ended()) {
            factor = Math.min(SLOWEST, 2 * factor);
        } else if (sweep.ended() > sweep.endedByOthers()) {
            factor = 1;
        }
    }

    Duration pause() {
        Duration slow = usual.multipliedBy(factor);
        Duration longest = usual.plus(LONGEST_DELAY);
        return slow.compareTo(longest) < 0 ? slow : longest;
    }
}
