package dev.lockstep.core.spi;

/** A store's own record of locks it gave; handed back to renew or release them. */
public non-sealed interface StoreGrant extends StoreAnswer {
    /** Rises when another store takes over. */
    default long epoch() {
        return 0;
    }

    /** A number greater than that of every earlier grant of the same keys, or of keys below the same top-level key, also across restarts. */
    long token();
}
