package dev.lockstep.cli.store;

import dev.lockstep.core.LockKind;
import dev.lockstep.core.fallback.FallbackStore;
import dev.lockstep.core.spi.Epoch;
import dev.lockstep.core.spi.EpochRegister;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.StoreTrait;
import java.util.EnumSet;
import java.util.Set;

/** A place on each of two servers, and a register of its own, for a pair that nobody else uses. */
final class PairScratch implements Scratch {
    private final Scratch primary;
    private final Scratch secondary;
    private final String name;

    private PairScratch(Scratch primary, Scratch secondary, String name) {
        this.primary = primary;
        this.secondary = secondary;
        this.name = name;
    }

    static PairScratch create(PairAddress pair, String id, LockKind... kinds) {
        String name = "verify-" + id;
        Scratch first = pair.primary().scratch(id, kinds);
        try {
            PairScratch scratch = new PairScratch(first, pair.secondary().scratchWithRegister(id, name, kinds), name);
            scratch.openRegister();
            return scratch;
        } catch (RuntimeException e) {
            closeAfter(first, e);
            throw e;
        }
    }

    /** Nobody can have used a pair of this name, so there are no leases to wait for. */
    private void openRegister() {
        try (LockStore store = secondary.store()) {
            EpochRegister register = store.epochs(name).orElseThrow();
            Epoch first = register.read();
            register.replace(first, first.opened());
        } catch (RuntimeException e) {
            closeAfter(secondary, e);
            throw e;
        }
    }

    private static void closeAfter(Scratch made, RuntimeException failure) {
        try {
            made.close();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    @Override
    public String where() {
        return primary.where() + ", and " + secondary.where();
    }

    @Override
    public Set<StoreTrait> traits() {
        Set<StoreTrait> all = EnumSet.noneOf(StoreTrait.class);
        all.addAll(primary.traits());
        all.addAll(secondary.traits());
        return all;
    }

    @Override
    public LockStore store() {
        return FallbackStore.of(primary.store(), secondary.store()).named(name);
    }

    @Override
    public void close() {
        try {
            primary.close();
        } finally {
            secondary.close();
        }
    }
}
