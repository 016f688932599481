package dev.lockstep.benchmarks.server;

import dev.lockstep.benchmarks.measure.UsageException;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What {@code ./lockstep bench server} measures. */
enum ServerPart {
    START,
    LOCKS,
    STOCK;

    /** Those of these names, as they are written on the command line; all when there are none. */
    static Set<ServerPart> named(List<String> names) {
        return names.isEmpty()
                ? EnumSet.allOf(ServerPart.class)
                : names.stream()
                        .map(ServerPart::named)
                        .collect(Collectors.toCollection(() -> EnumSet.noneOf(ServerPart.class)));
    }

    private static ServerPart named(String name) {
        return Stream.of(values())
                .filter(part -> part.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new UsageException("unknown part '" + name + "'. Known: "
                        + Stream.of(values()).map(ServerPart::toString).collect(Collectors.joining(", "))));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
