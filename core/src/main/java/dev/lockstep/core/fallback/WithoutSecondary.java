package dev.lockstep.core.fallback;

/** What a pair does while the secondary, which keeps the register, is unreachable. */
public enum WithoutSecondary {
    /** Grants and renews nothing, since another process may have switched. */
    STOP,
    /**
     * Continues with the primary. If another process reaches the secondary but not the primary, it may switch, and then there are two
     * holders, of which a {@linkplain dev.lockstep.core.FencingToken fencing} guard stops the one with the older epoch.
     */
    KEEP_FENCED
}
