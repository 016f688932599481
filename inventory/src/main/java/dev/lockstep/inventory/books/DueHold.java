package dev.lockstep.inventory.books;

import java.time.LocalDateTime;

/** A reservation whose time has ended, in UTC. */
public record DueHold(String id, LocalDateTime expiresAt) {
    /** Comes before all others. */
    public static final DueHold FIRST = new DueHold("", LocalDateTime.of(1970, 1, 2, 0, 0));
}
