package dev.lockstep.core.spi;

/** The ways in which a store may do less than the in-memory one. Each makes a named skip in the store contract. */
public enum StoreTrait {
    /** Knows only shared and exclusive: a shared lock of what may have children excludes everyone. */
    TWO_MODES,
    /** Different keys may share one physical lock and so wait for each other. */
    FALSE_CONTENTION,
    /** Doesn't promise that requests of several processes are served in the order in which they came; those of one process are. */
    UNFAIR,
    /** Can't distinguish a deadlock from a long wait, so it ends with a timeout. */
    NO_DEADLOCK_REPORT,
    /** Its snapshot or its busy answers may miss holders or waiters of other processes. */
    PARTIAL_SIGHT,
    /** What a nested request locked stays locked until its holder's outermost lease ends. */
    NESTED_STAY,
    /** A request that waits occupies a thread or a connection, so few should wait at a time. */
    BLOCKING_WAITS
}
