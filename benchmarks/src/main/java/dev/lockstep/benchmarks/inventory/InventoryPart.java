package dev.lockstep.benchmarks.inventory;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What {@code ./lockstep bench inventory} measures. */
enum InventoryPart {
    HOT,
    MIXES,
    ORDERS,
    CROWD,
    PLOT,
    PROFILE;

    /** The one of this name, as it is written on the command line. */
    static Optional<InventoryPart> named(String name) {
        return Stream.of(values()).filter(part -> part.toString().equals(name)).findFirst();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
