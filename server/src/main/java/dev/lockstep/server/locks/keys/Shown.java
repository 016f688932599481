package dev.lockstep.server.locks.keys;

/** What a client sent, as it may stand in an answer: short, and without control characters. */
public final class Shown {
    private static final int LONGEST = 100;

    private Shown() {}

    public static String of(String text) {
        String start = text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
        return start.replaceAll("\\p{Cntrl}", "?");
    }

    public static boolean hasControl(String text) {
        return text.codePoints().anyMatch(Character::isISOControl);
    }
}
