package dev.lockstep.spring.autoconfigure;

import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.Kinds;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKind;
import dev.lockstep.spring.LockstepStartException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads {@code lockstep.kinds} and {@code lockstep.kinds-from}, and says what to write where they can't be used. */
final class ConfiguredKinds {
    private final Map<String, LockstepProperties.Kind> written;
    private final Map<String, LockKind> known = new LinkedHashMap<>();
    private final Map<String, String> places = new LinkedHashMap<>();

    private ConfiguredKinds(Map<String, LockstepProperties.Kind> written) {
        this.written = written;
    }

    /** A kind that is written in a configuration. */
    private record ConfiguredKind(String prefix, int rank, Optional<LockKind> parent, boolean leaf)
            implements LockKind {}

    /** The kinds of a set, one by one. */
    static LockKind[] all(Kinds kinds) {
        return kinds.definitions().stream()
                .flatMap(definition -> kinds.find(definition.prefix()).stream())
                .toArray(LockKind[]::new);
    }

    static Kinds of(LockstepProperties properties) {
        ConfiguredKinds reader = new ConfiguredKinds(properties.kinds());
        properties.kindsFrom().forEach(reader::addEnum);
        properties.kinds().keySet().forEach(prefix -> reader.addWritten(prefix, List.of()));
        try {
            return Kinds.of(reader.known.values().toArray(LockKind[]::new));
        } catch (LockException e) {
            throw refused(e);
        }
    }

    private void addEnum(Class<?> type) {
        if (!type.isEnum() || !LockKind.class.isAssignableFrom(type)) {
            throw new LockstepStartException(
                    "lockstep.kinds-from names " + type.getName() + ", which is no enum that implements LockKind.",
                    "Write the name of an enum such as 'enum Tenancy implements LockKind', or the kinds themselves under"
                            + " lockstep.kinds.");
        }
        for (Object constant : type.getEnumConstants()) {
            add((LockKind) constant, type.getName());
        }
    }

    /** The kind that is written under this name, after the kinds that it is in. */
    private LockKind addWritten(String prefix, List<String> below) {
        if (below.contains(prefix)) {
            throw new LockstepStartException(
                    "The kinds under lockstep.kinds form a cycle: " + String.join(" in ", below) + " in " + prefix
                            + ".",
                    "Remove " + property(prefix, "parent") + ", or name another parent there.");
        }
        LockstepProperties.@Nullable Kind kind = written.get(prefix);
        if (kind == null) {
            return inherited(prefix, below.get(below.size() - 1));
        }
        if (kind.rank() == null) {
            throw new LockstepStartException(
                    "Kind '" + prefix + "' has no rank.",
                    "Write " + property(prefix, "rank") + "=0, or a higher number that no other kind has.");
        }
        List<String> path = new ArrayList<>(below);
        path.add(prefix);
        Optional<LockKind> parent = Optional.ofNullable(kind.parent()).map(name -> addWritten(name, path));
        return add(new ConfiguredKind(prefix, kind.rank(), parent, kind.leaf()), property(prefix, "rank"));
    }

    /** A parent that isn't written in the configuration itself. */
    private LockKind inherited(String prefix, String child) {
        @Nullable LockKind kind = known.get(prefix);
        if (kind == null) {
            throw new LockstepStartException(
                    "The parent '" + prefix + "' of kind '" + child + "' is not declared.",
                    "Write " + property(prefix, "rank") + " as well, or another " + property(child, "parent") + ".");
        }
        return kind;
    }

    private LockKind add(LockKind kind, String place) {
        @Nullable LockKind same = known.putIfAbsent(kind.prefix(), kind);
        if (same == null) {
            places.put(kind.prefix(), place);
            return kind;
        }
        KindDefinition first = definition(same);
        KindDefinition second = definition(kind);
        if (!first.equals(second)) {
            throw new LockstepStartException(
                    "Kind '" + kind.prefix() + "' is declared in two ways: " + first + " by "
                            + places.get(kind.prefix()) + ", and " + second + " by " + place + ".",
                    "Declare it in one place, or both times the same.");
        }
        return same;
    }

    private static KindDefinition definition(LockKind kind) {
        try {
            return KindDefinition.of(kind);
        } catch (LockException e) {
            throw refused(e);
        }
    }

    private static LockstepStartException refused(LockException e) {
        return new LockstepStartException(
                "The kinds can't be used. " + e.getMessage(),
                "Correct lockstep.kinds, or the enums of lockstep.kinds-from.",
                e);
    }

    private static String property(String prefix, String setting) {
        return "lockstep.kinds." + (prefix.contains("_") ? "[" + prefix + "]" : prefix) + "." + setting;
    }
}
