package dev.lockstep.server.inventory;

import java.util.Locale;
import java.util.regex.Pattern;

/** Names as the API's document writes them. */
final class Wire {
    private static final Pattern HUMP = Pattern.compile("(?<=[a-z])(?=[A-Z])");

    private Wire() {}

    /** {@code out-of-stock} of {@code OutOfStock}. */
    static String name(String className) {
        return HUMP.matcher(className).replaceAll("-").toLowerCase(Locale.ROOT);
    }
}
