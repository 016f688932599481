package dev.lockstep.benchmarks.redis;

import dev.lockstep.benchmarks.measure.Contender;
import dev.lockstep.benchmarks.measure.WaitTimes;
import java.util.List;

/** Takes and frees, and notes how long each had to wait. */
record TimedContender(String name, List<String> configuration, Taker taker, WaitTimes waits) implements Contender {
    static TimedContender of(String name, Taker taker) {
        return new TimedContender(name, List.of(), taker, new WaitTimes());
    }

    @Override
    public boolean lockAndRelease() {
        long asked = System.nanoTime();
        Taker.Held held = taker.take();
        long waited = System.nanoTime() - asked;
        held.close();
        waits.add(waited);
        return true;
    }

    @Override
    public void warmedUp() {
        waits.clear();
    }

    @Override
    public void close() {}
}
