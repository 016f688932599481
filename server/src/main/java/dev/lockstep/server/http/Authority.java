package dev.lockstep.server.http;

import java.util.Locale;

/** The host and port of a URL, as the header Host has them. */
final class Authority {
    private Authority() {}

    /** The host alone, in lower case, an IPv6 address without its brackets. */
    static String host(String authority) {
        String lower = authority.strip().toLowerCase(Locale.ROOT);
        if (lower.startsWith("[")) {
            int end = lower.indexOf(']');
            return end < 0 ? lower : lower.substring(1, end);
        }
        int colon = lower.indexOf(':');
        return colon < 0 || colon != lower.lastIndexOf(':') ? lower : lower.substring(0, colon);
    }
}
