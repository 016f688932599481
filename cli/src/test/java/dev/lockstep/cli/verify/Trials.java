package dev.lockstep.cli.verify;

import dev.lockstep.cli.store.LockRows;
import dev.lockstep.cli.store.Scratch;
import dev.lockstep.core.Locks;
import dev.lockstep.core.LocksBuilder;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.StoreTrait;
import dev.lockstep.testkit.Breach;
import dev.lockstep.testkit.FaultyStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Trials for tests: shorter, and on stores that break their contract. */
final class Trials {
    /** Brief, and patient enough for a busy machine. */
    static final Pace BRIEF = new Pace(
            Duration.ofMillis(200),
            4,
            Duration.ofMillis(1000),
            Duration.ofSeconds(60),
            Duration.ofSeconds(150),
            Duration.ofMinutes(9));

    /** Gives up soon: for stores where something never comes. */
    static final Pace IMPATIENT = new Pace(
            Duration.ofMillis(200),
            4,
            Duration.ofMillis(300),
            Duration.ofSeconds(1),
            Duration.ofSeconds(150),
            Duration.ofMinutes(9));

    private Trials() {}

    static Report run(Scratch scratch, Pace pace, List<Behaviour> behaviours) throws InterruptedException {
        try (scratch;
                Verification verification = new Verification(scratch, pace, new Progress() {})) {
            return verification.run(behaviours);
        }
    }

    static Scratch on(LockStore store) {
        return on(store, Optional.empty(), Optional.empty());
    }

    /** A place on a server that may hide the sessions of others. */
    static Scratch onHiding(LockStore store) {
        return on(store, Optional.empty(), Optional.of("GRANT PROCESS ON *.* to the user."));
    }

    static Scratch onRows(RowStore.Flaw flaw) {
        RowStore store = RowStore.with(flaw);
        return on(store, Optional.of(store), Optional.empty());
    }

    private static Scratch on(LockStore store, Optional<LockRows> rows, Optional<String> hidden) {
        return new Scratch() {
            @Override
            public String where() {
                return "a test";
            }

            @Override
            public Set<StoreTrait> traits() {
                return store.traits();
            }

            @Override
            public LockStore store() {
                return store;
            }

            @Override
            public LocksBuilder party(UnaryOperator<LockStore> around) {
                return Locks.builder(around.apply(store)).leaveStoreOpen();
            }

            @Override
            public Optional<LockRows> rows() {
                return rows;
            }

            @Override
            public Optional<String> whyOthersAreHidden() {
                return hidden;
            }

            @Override
            public void close() {
                store.close();
            }
        };
    }

    static Scratch with(Breach breach) {
        return on(broken(breach));
    }

    static FaultyStore broken(Breach breach) {
        FaultyStore store = FaultyStore.around(MemoryStore.create());
        store.commit(breach);
        return store;
    }
}
