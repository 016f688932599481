package dev.lockstep.benchmarks.redis;

import dev.lockstep.benchmarks.measure.UsageException;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What {@code ./lockstep bench redis} measures. */
enum RedisPart {
    TRIPS,
    SPEED,
    HANDOFF,
    FAIRNESS;

    /** Those of these names, as they are written on the command line; all when there are none. */
    static Set<RedisPart> named(List<String> names) {
        return names.isEmpty()
                ? EnumSet.allOf(RedisPart.class)
                : names.stream()
                        .map(RedisPart::named)
                        .collect(Collectors.toCollection(() -> EnumSet.noneOf(RedisPart.class)));
    }

    private static RedisPart named(String name) {
        return Stream.of(values())
                .filter(part -> part.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new UsageException("unknown part '" + name + "'. Known: "
                        + Stream.of(values()).map(RedisPart::toString).collect(Collectors.joining(", "))));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
