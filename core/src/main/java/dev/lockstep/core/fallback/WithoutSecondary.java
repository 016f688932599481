package dev.lockstep.core.fallback;

/** What a pair does while the secondary, which says whose turn it is, can't be reached. */
public enum WithoutSecondary {
    /** Grants and renews nothing, since another process may have switched. */
    STOP,
    /**
     * Goes on with the primary. If another process reaches the secondary but not the primary, it may switch, and then there are two
     * holders, of which a {@linkplain dev.lockstep.core.FencingToken fencing} guard stops the one with the older epoch.
     */
    KEEP_FENCED
}
