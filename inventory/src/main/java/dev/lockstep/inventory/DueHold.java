package dev.lockstep.inventory;

import java.time.LocalDateTime;

/** A reservation whose time has ended, in UTC. */
record DueHold(String id, LocalDateTime expiresAt) {
    /** Comes before all others. */
    static final DueHold FIRST = new DueHold("", LocalDateTime.of(1970, 1, 2, 0, 0));
}
