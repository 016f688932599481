package dev.lockstep.chaos;

import dev.lockstep.core.FencingToken;

/** Reads tokens as histories have them. */
final class TokenText {
    private TokenText() {}

    /** The opposite of {@link FencingToken#toString}. */
    static FencingToken parse(String text) {
        int dot = text.indexOf('.');
        return new FencingToken(Long.parseLong(text.substring(0, dot)), Long.parseLong(text.substring(dot + 1)));
    }
}
