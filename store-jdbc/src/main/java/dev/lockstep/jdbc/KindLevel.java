package dev.lockstep.jdbc;

import dev.lockstep.core.KindDefinition;

/** A recorded kind and the level of bucket rows that is its own. */
record KindLevel(KindDefinition definition, int level) {
    /** How many levels fit into the column. */
    static final int LEVELS = 128;

    String prefix() {
        return definition.prefix();
    }
}
