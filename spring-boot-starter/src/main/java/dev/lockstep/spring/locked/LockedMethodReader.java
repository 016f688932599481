package dev.lockstep.spring.locked;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Kinds;
import dev.lockstep.spring.Locked;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

/** Makes a {@link LockedMethod} of a method and its annotation, or says what is wrong with them. */
final class LockedMethodReader {
    private final Kinds kinds;
    private final UnaryOperator<String> properties;
    private final String process;

    LockedMethodReader(Kinds kinds, UnaryOperator<String> properties, String process) {
        this.process = process;
        this.kinds = kinds;
        this.properties = properties;
    }

    LockedMethod read(Method method, Class<?> type, Locked locked) {
        String where = where(method, type);
        if (locked.value().length + locked.shared().length == 0) {
            throw invalid(where, "it names no key", "Write one, such as @Locked(\"user:#{#userId}\").");
        }
        if (ReturnedValue.isReactive(method)
                && (!locked.fallback().isEmpty() || !locked.atLeast().isEmpty())) {
            throw invalid(
                    where,
                    "it returns a publisher, and fallback and atLeast are for methods that block",
                    "Leave them out; use onErrorResume for a LockTimeoutException.");
        }
        LockedMethod.Keys keys = new LockedMethod.Keys(
                templates(locked.value(), method, where), templates(locked.shared(), method, where));
        String owner = locked.owner().isBlank()
                ? process + " " + type.getSimpleName() + "." + method.getName()
                : owner(locked.owner(), where);
        LockedMethod.Options options = new LockedMethod.Options(
                within(locked, where),
                atMost(locked.atMost(), where),
                atLeast(locked, method, where),
                IfNotAcquired.of(locked, method, type, where),
                owner);
        return new LockedMethod(method, where, keys, options, ReturnedValue.isFuture(method));
    }

    /** The method as messages name it. */
    static String where(Method method, Class<?> type) {
        String arguments = Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", "));
        return "@Locked on " + type.getName() + "." + method.getName() + "(" + arguments + ")";
    }

    static InvalidRequestException invalid(String where, String what, String instead) {
        return new InvalidRequestException(where + ": " + what + ". " + instead);
    }

    private List<KeyTemplate> templates(String[] texts, Method method, String where) {
        ArgumentNames arguments = new ArgumentNames(method);
        return Arrays.stream(texts)
                .map(text ->
                        new KeyTemplateParser(kinds, properties, arguments, where + ", key '" + text + "'").parse(text))
                .toList();
    }

    private String owner(String text, String where) {
        if (text.contains("#{")) {
            throw invalid(
                    where,
                    "owner = \"" + text + "\" is a fixed text and takes no expression",
                    "Write a text, such as \"close-account\".");
        }
        return resolved(text, "owner", where);
    }

    private @Nullable Duration within(Locked locked, String where) {
        Duration within = duration(locked.within(), "within", where);
        return within == null && locked.ifBusy() == Locked.IfBusy.SKIP ? Duration.ZERO : within;
    }

    private @Nullable Duration atLeast(Locked locked, Method method, String where) {
        Duration shortest = duration(locked.atLeast(), "atLeast", where);
        Duration longest = duration(locked.atMost(), "atMost", where);
        if (shortest != null && longest != null && shortest.compareTo(longest) > 0) {
            throw invalid(
                    where,
                    "atLeast = \"" + locked.atLeast() + "\" is longer than atMost = \"" + locked.atMost() + "\"",
                    "Write an atMost that is longer, or leave it out.");
        }
        if (shortest != null && ReturnedValue.isFuture(method)) {
            throw invalid(
                    where,
                    "it returns a future, and atLeast is for methods that end when they return",
                    "Leave atLeast out.");
        }
        return shortest;
    }

    private @Nullable Duration atMost(String text, String where) {
        Duration longest = duration(text, "atMost", where);
        if (longest != null && longest.isZero()) {
            throw invalid(where, "atMost = \"" + text + "\" is no time at all", "Write how long, such as \"30s\".");
        }
        return longest;
    }

    private @Nullable Duration duration(String text, String option, String where) {
        if (text.isEmpty()) {
            return null;
        }
        String value = resolved(text, option, where);
        String named = option + " = \"" + text + "\"" + (value.equals(text) ? "" : ", which is \"" + value + "\",");
        if (isBareNumber(value)) {
            throw invalid(where, named + " has no unit", "Write it as \"500ms\", \"2s\" or \"PT2S\".");
        }
        Duration duration;
        try {
            duration = DurationStyle.detectAndParse(value.strip());
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw invalid(where, named + " is no duration", "Write it as \"500ms\", \"2s\" or \"PT2S\".");
        }
        if (duration.isNegative()) {
            throw invalid(where, named + " is negative", "Write a time of zero or more, such as \"2s\".");
        }
        return duration;
    }

    /** Spring would take it as milliseconds, and most who write it mean seconds; zero is the same in all. */
    private static boolean isBareNumber(String value) {
        return value.strip().matches("[+-]?\\d*[1-9]\\d*");
    }

    private String resolved(String text, String option, String where) {
        try {
            return properties.apply(text);
        } catch (IllegalArgumentException e) {
            throw invalid(
                    where,
                    option + " = \"" + text + "\" names a property that is not set",
                    "Set it, or write a default as ${name:2s}.");
        }
    }
}
