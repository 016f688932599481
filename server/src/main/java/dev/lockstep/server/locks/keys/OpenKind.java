package dev.lockstep.server.locks.keys;

import dev.lockstep.core.LockKind;
import java.util.Optional;

/**
 * A kind that a key itself made known. Its rank is the same on every server, whatever was locked there before: the depth in the top 4 bits, and
 * below them the first five characters of the name in an order-preserving code.
 */
record OpenKind(String prefix, int rank, Optional<LockKind> parent) implements LockKind {
    /** In the order of their codes; zero stands for the end of a shorter name. */
    private static final String SYMBOLS = "-0123456789_abcdefghijklmnopqrstuvwxyz";

    private static final int TOLD_APART_BY = 5;
    private static final int DEPTH_SHIFT = 27;

    /** The deepest level that has a rank. */
    static final int DEEPEST = 15;

    static OpenKind of(String prefix, int depth, Optional<LockKind> parent) {
        return new OpenKind(prefix, depth << DEPTH_SHIFT | code(prefix), parent);
    }

    private static int code(String prefix) {
        int code = 0;
        for (int i = 0; i < TOLD_APART_BY; i++) {
            int symbol = i < prefix.length() ? SYMBOLS.indexOf(prefix.charAt(i)) + 1 : 0;
            code = code * (SYMBOLS.length() + 1) + symbol;
        }
        return code;
    }
}
