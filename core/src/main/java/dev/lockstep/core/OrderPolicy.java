package dev.lockstep.core;

/** What happens when a nested request goes against the global order. */
public enum OrderPolicy {
    /** It fails at once, before it can block. */
    FAIL,
    /** It is logged and proceeds; a deadlock becomes possible. */
    WARN,
    /** It proceeds; a deadlock becomes possible. */
    OFF
}
