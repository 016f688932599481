package dev.lockstep.cli.store;

import dev.lockstep.core.LockKind;
import dev.lockstep.core.fallback.FallbackStore;
import dev.lockstep.core.spi.Epoch;
import dev.lockstep.core.spi.EpochRegister;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.StoreTrait;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A place on each of two servers, for two pairs that nothing else uses: one that stays as it is, and one that may be made to switch. Each has a
 * separate register.
 */
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
            Scratch second = pair.secondary().scratchWithRegisters(id, List.of(name, switching(name)), kinds);
            PairScratch scratch = new PairScratch(first, second, name);
            scratch.openRegisters();
            return scratch;
        } catch (RuntimeException e) {
            closeAfter(first, e);
            throw e;
        }
    }

    private static String switching(String name) {
        return name + "-switching";
    }

    /** A pair of such a name is new, so there are no leases to wait for. */
    private void openRegisters() {
        try (LockStore store = secondary.store()) {
            for (String each : List.of(name, switching(name))) {
                EpochRegister register = store.epochs(each).orElseThrow();
                Epoch first = register.read();
                register.replace(first, first.opened());
            }
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

    /** All times of the pair are about a term: a switch there and back takes some six of them. */
    @Override
    public Optional<SwitchingPair> pair() {
        return Optional.of((line, term) -> FallbackStore.of(line.apply(primary.store()), secondary.store())
                .named(switching(name))
                .longestTerm(term)
                .epochTerm(term)
                .unavailableAfter(term.dividedBy(2))
                .returnAfter(term));
    }

    @Override
    public Optional<LockRows> rows() {
        return primary.rows();
    }

    @Override
    public Optional<String> whyOthersAreHidden() {
        return primary.whyOthersAreHidden();
    }

    @Override
    public Optional<RestartableStore> restartable(Duration longestTerm) {
        return primary.restartable(longestTerm);
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
