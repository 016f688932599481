package dev.lockstep.ordercheck;

import java.util.List;

/** The {@code Locks} that a request goes to, as far as the source says. Each has an order guard of its own. */
sealed interface LocksModel {
    /** Those of the application: what annotations speak of. */
    record Application() implements LocksModel {}

    /** Those that an expression names: a variable, and fields from there. */
    record Path(List<Object> elements) implements LocksModel {}

    /** Any. */
    record Unknown() implements LocksModel {}

    static LocksModel application() {
        return new Application();
    }

    static LocksModel unknown() {
        return new Unknown();
    }

    default boolean isSurelySame(LocksModel other) {
        if (this instanceof Unknown || other instanceof Unknown) {
            return false;
        }
        return this instanceof Application || other instanceof Application || equals(other);
    }
}
