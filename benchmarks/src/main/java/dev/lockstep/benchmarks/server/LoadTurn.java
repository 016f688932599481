package dev.lockstep.benchmarks.server;

import dev.lockstep.benchmarks.measure.WaitTimes;
import java.time.Duration;

/**
 * How one turn went.
 *
 * @param time how long it was measured
 * @param answered requests that were answered in this time
 * @param latencies of those that were asked in it
 * @param servers processor time of the server in it
 * @param own processor time of the one who asked
 */
record LoadTurn(Duration time, long answered, WaitTimes latencies, Duration servers, Duration own) {
    double perSecond() {
        return answered * 1e9 / time.toNanos();
    }

    /** Processor time of the server for each answer, in microseconds. The machine's other work hardly changes it. */
    double serverMicros() {
        return servers.toNanos() / 1e3 / answered;
    }

    double ownMicros() {
        return own.toNanos() / 1e3 / answered;
    }
}
