package dev.lockstep.core.internal;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.Ranked;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What {@link Ranked} says about an enum constant. */
public record RankedConstant(String prefix, int rank, Optional<LockKind> parent, boolean leaf) {
    /** The constants of each enum, by their names. */
    private static final ClassValue<Map<String, Optional<RankedConstant>>> READ = new ClassValue<>() {
        @Override
        protected Map<String, Optional<RankedConstant>> computeValue(Class<?> type) {
            return readAll(type);
        }
    };

    /** Empty for what is no enum constant, or has no annotation. */
    public static Optional<RankedConstant> of(LockKind kind) {
        return kind instanceof Enum<?> constant
                ? READ.get(constant.getDeclaringClass()).getOrDefault(constant.name(), Optional.empty())
                : Optional.empty();
    }

    /** The same for a kind that doesn't define itself by methods. */
    public static RankedConstant require(LockKind kind) {
        return of(kind).orElseThrow(
                        () -> new InvalidRequestException(
                                "The kind " + nameOf(kind)
                                        + " has neither a rank nor a prefix. Annotate the enum constant with @Ranked(rank), or override prefix() and rank()."));
    }

    private static String nameOf(LockKind kind) {
        return kind instanceof Enum<?> constant
                ? constant.getDeclaringClass().getSimpleName() + "." + constant.name()
                : kind.getClass().getName();
    }

    private static Map<String, Optional<RankedConstant>> readAll(Class<?> type) {
        Map<String, Optional<RankedConstant>> all = new HashMap<>();
        for (Object each : type.getEnumConstants()) {
            String name = ((Enum<?>) each).name();
            all.put(name, annotationOf(type, name).map(ranked -> read(type, name, ranked)));
        }
        return all;
    }

    private static Optional<Ranked> annotationOf(Class<?> type, String name) {
        try {
            return Optional.ofNullable(type.getField(name).getAnnotation(Ranked.class));
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException("An enum has no field for its constant " + name, e);
        }
    }

    private static RankedConstant read(Class<?> type, String name, Ranked ranked) {
        String prefix =
                ranked.prefix().isEmpty() ? name.toLowerCase(Locale.ROOT).replace('_', '-') : ranked.prefix();
        Optional<LockKind> parent =
                ranked.in().isEmpty() ? Optional.empty() : Optional.of(constant(type, name, ranked.in()));
        return new RankedConstant(prefix, ranked.value(), parent, ranked.leaf());
    }

    private static LockKind constant(Class<?> type, String of, String name) {
        for (Object each : type.getEnumConstants()) {
            if (each instanceof LockKind kind && ((Enum<?>) each).name().equals(name)) {
                return kind;
            }
        }
        throw new InvalidRequestException("@Ranked on " + type.getSimpleName() + "." + of + " says in = \"" + name
                + "\", and " + type.getSimpleName()
                + " has no such constant. Write the name of the constant that contains " + of
                + ", as it is written in the enum.");
    }

    /** Refuses a kind whose methods say something else than its annotation. */
    public static void check(LockKind kind) {
        Optional<RankedConstant> annotated = of(kind);
        if (annotated.isPresent() && !annotated.get().equals(byMethods(kind))) {
            throw new InvalidRequestException("@Ranked on " + nameOf(kind) + " says " + annotated.get()
                    + ", and its methods say " + byMethods(kind) + ". Leave out the methods, or the annotation.");
        }
    }

    private static RankedConstant byMethods(LockKind kind) {
        return new RankedConstant(kind.prefix(), kind.rank(), kind.parent(), kind.leaf());
    }

    @Override
    public String toString() {
        return "prefix '" + prefix + "', rank " + rank
                + parent.map(kind -> ", in '" + kind.prefix() + "'").orElse("") + (leaf ? ", leaf" : "");
    }
}
