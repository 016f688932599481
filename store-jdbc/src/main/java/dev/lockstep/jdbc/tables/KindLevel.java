package dev.lockstep.jdbc.tables;

import dev.lockstep.core.KindDefinition;

/** A recorded kind and the level of bucket rows that is its own. */
public record KindLevel(KindDefinition definition, int level) {
    /** How many levels fit into the column. */
    static final int LEVELS = 128;

    public String prefix() {
        return definition.prefix();
    }
}
