package dev.lockstep.benchmarks.redis;

import dev.lockstep.benchmarks.measure.Contender;
import java.util.List;

/** Takes and frees on a client that others use, too, and that stays open. */
record TakerContender(String name, List<String> configuration, Taker taker) implements Contender {
    @Override
    public boolean lockAndRelease() {
        taker.take().close();
        return true;
    }

    @Override
    public void close() {}
}
