package dev.lockstep.chaos;

/** What docs/guarantees.md says about a store's leases, as far as stores differ. The checker allows this and no more. */
enum Promise {
    /** Redis: two valid leases never overlap. */
    LEASES_OUTLIVE_CONNECTIONS,
    /**
     * Databases: a connection that ends frees its locks at once, and the holder learns it at its next renewal, a third of the term
     * later at most; without renewals, at the end of its term.
     */
    LEASES_END_WITH_CONNECTIONS
}
