package dev.lockstep.spring.actuate;

import java.util.Locale;
import java.util.regex.Pattern;

/** Names of classes as values of tags: {@code OutOfStock} is {@code out-of-stock}. */
final class KebabCase {
    private static final Pattern SEAM = Pattern.compile("(?<=[a-z])(?=[A-Z])");

    private KebabCase() {}

    static String of(String name) {
        return SEAM.matcher(name).replaceAll("-").toLowerCase(Locale.ROOT);
    }

    static String of(Object value) {
        return of(value.getClass().getSimpleName());
    }
}
