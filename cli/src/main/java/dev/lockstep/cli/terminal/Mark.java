package dev.lockstep.cli.terminal;

/** What stands before a line to say how good it is. */
public enum Mark {
    /** As it should be. */
    GOOD("✓", "ok", "green"),
    /** To be looked at. */
    DOUBTFUL("!", "!", "yellow"),
    /** Not as it should be. */
    BAD("✗", "FAIL", "red,bold"),
    /** Not tried. */
    SKIPPED("–", "-", "faint"),
    /** Does not apply here. */
    INAPPLICABLE("·", "n/a", "faint");

    /** How many characters the longest of them has in ASCII. */
    public static final int WIDEST_ASCII = 4;

    private final String symbol;
    private final String ascii;
    private final String style;

    Mark(String symbol, String ascii, String style) {
        this.symbol = symbol;
        this.ascii = ascii;
        this.style = style;
    }

    String in(boolean unicode) {
        return unicode ? symbol : ascii;
    }

    String style() {
        return style;
    }
}
