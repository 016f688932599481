package dev.lockstep.core.memory;

import dev.lockstep.core.LockClock;
import dev.lockstep.core.spi.Epoch;
import dev.lockstep.core.spi.EpochRegister;
import java.util.concurrent.TimeUnit;

/**
 * A register in this process. It is new and unused, so its first epoch is open; it begins with the time, so that a
 * later run doesn't fall behind an earlier one.
 */
final class MemoryEpochs implements EpochRegister {
    private volatile Epoch epoch;

    MemoryEpochs(LockClock clock) {
        long number = TimeUnit.MILLISECONDS.toSeconds(clock.millis());
        epoch = new Epoch(number, Epoch.Side.PRIMARY, true, 0, "");
    }

    @Override
    public void requireUsable() {}

    @Override
    public Epoch read() {
        return epoch;
    }

    @Override
    public synchronized boolean replace(Epoch expected, Epoch next) {
        boolean same = epoch.equals(expected);
        if (same) {
            epoch = next;
        }
        return same;
    }
}
