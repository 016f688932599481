package dev.lockstep.cli.store;

import dev.lockstep.core.Locks;
import dev.lockstep.core.LocksBuilder;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.StoreTrait;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** A place on a server, made for a trial, where it can't conflict with other locks. Closing it leaves nothing behind. */
public interface Scratch extends AutoCloseable {
    /** How many rows each kind has there where locks are rows: few, so that they are made in a moment. */
    int ROWS = 10_007;

    /** Where it is, for people. */
    String where();

    /** What the store there says that it does less well than the best one can. */
    Set<StoreTrait> traits();

    /** A store there for one more party, with connections of its own where there is a server, as another process would have. */
    LockStore store();

    /** Locks for one more party. */
    default LocksBuilder party() {
        return party(store -> store);
    }

    /** Locks for one more party, which reaches its store through another one. */
    default LocksBuilder party(UnaryOperator<LockStore> around) {
        return Locks.builder(around.apply(store()));
    }

    /** The same place as a pair that may be made to switch; empty where there is but one store. */
    default Optional<SwitchingPair> pair() {
        return Optional.empty();
    }

    /** The rows that stand for keys there; empty where locks need no rows. */
    default Optional<LockRows> rows() {
        return Optional.empty();
    }

    /** What to do when a deadlock report misses the other requests; empty where the store itself knows them all. */
    default Optional<String> whyOthersAreHidden() {
        return Optional.empty();
    }

    /**
     * A store beside it that can be made to lose its memory, in which no lease is longer than this; empty where a server keeps no leases that
     * it could forget while their holders live.
     */
    default Optional<RestartableStore> restartable(Duration longestTerm) {
        return Optional.empty();
    }

    /** Removes it; parties are to be closed before. */
    @Override
    void close();
}
