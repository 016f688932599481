package dev.lockstep.cli.locks;

import dev.lockstep.cli.store.PairAddress;
import dev.lockstep.core.spi.Epoch;
import dev.lockstep.core.spi.EpochRegister;
import dev.lockstep.core.spi.LockStore;

/** The locks on the store whose turn it is. It reads the register and is no member of the pair, so it never makes it switch. */
public final class PairSnapshotSource implements SnapshotSource, AutoCloseable {
    private final LockStore primary;
    private final LockStore secondary;
    private final EpochRegister register;

    /** Of these two stores. */
    public PairSnapshotSource(PairAddress pair) {
        secondary = pair.secondary().open();
        register = pair.register(secondary);
        primary = pair.primary().open();
    }

    @Override
    public LockReport look() {
        Epoch epoch = register.read();
        boolean onSecondary = epoch.side() == Epoch.Side.SECONDARY;
        LockReport.Pair state = new LockReport.Pair(
                primary.name(), secondary.name(), onSecondary, epoch.number(), epoch.open() ? "yes" : "quiet");
        return LockReport.of((onSecondary ? secondary : primary).snapshot()).of(state);
    }

    @Override
    public void close() {
        try (secondary) {
            primary.close();
        }
    }
}
