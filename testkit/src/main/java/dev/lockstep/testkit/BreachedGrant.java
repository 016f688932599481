package dev.lockstep.testkit;

import dev.lockstep.core.spi.StoreGrant;
import java.util.List;

/**
 * A grant of a store that breaks its contract.
 *
 * @param parts what the store around which it is built gave, in the order of taking
 */
record BreachedGrant(List<StoreGrant> parts, long token) implements StoreGrant {
    /** The grant that the store inside knows. */
    static StoreGrant within(StoreGrant grant) {
        return grant instanceof BreachedGrant breached ? breached.parts.get(0) : grant;
    }

    static List<StoreGrant> parts(StoreGrant grant) {
        return grant instanceof BreachedGrant breached ? breached.parts : List.of(grant);
    }
}
