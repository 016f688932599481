package dev.lockstep.chaos;

import dev.lockstep.testservers.ServerKind;

/** What docs/guarantees.md says about a store's leases, as far as stores differ. The checker allows this and no more. */
enum Promise {
    /** Redis: two valid leases never overlap. */
    LEASES_OUTLIVE_CONNECTIONS {
        @Override
        boolean endsWithConnection(boolean onSecondary, String server) {
            return false;
        }

        @Override
        boolean servesInOrder() {
            return true;
        }
    },
    /**
     * Databases: a connection that ends frees its locks at once, and the holder learns it at its next renewal, a third of the term
     * later at most; without renewals, at the end of its term.
     */
    LEASES_END_WITH_CONNECTIONS {
        @Override
        boolean endsWithConnection(boolean onSecondary, String server) {
            return true;
        }
    },
    /** A pair of Redis and a database that stops without the database: as the store that granted, and no overlap because of a switch. */
    PAIR_THAT_STOPS {
        @Override
        boolean endsWithConnection(boolean onSecondary, String server) {
            return onSecondary && !server.equals(ServerKind.REDIS.name());
        }
    },
    /** A pair that continues without its database: leases of different epochs may overlap, and only a guard distinguishes them. */
    PAIR_THAT_GOES_ON {
        @Override
        boolean endsWithConnection(boolean onSecondary, String server) {
            return PAIR_THAT_STOPS.endsWithConnection(onSecondary, server);
        }

        @Override
        boolean separatesEpochs() {
            return false;
        }
    };

    /** Whether a lease ends with its process's connection to a server; in a pair it may be on the secondary. */
    abstract boolean endsWithConnection(boolean onSecondary, String server);

    /** Whether it locks exactly the keys, and serves requests in the order in which they came. */
    boolean servesInOrder() {
        return false;
    }

    /** Whether leases of different epochs exclude each other, too. */
    boolean separatesEpochs() {
        return true;
    }
}
