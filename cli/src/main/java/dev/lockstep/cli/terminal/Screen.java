package dev.lockstep.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/**
 * The screen of a terminal that is drawn anew again and again. Each drawing is written over the last one at once, so nothing
 * flickers; closing it brings back what was there before.
 */
public final class Screen implements AutoCloseable {
    private static final String ENTER = "\u001b[?1049h\u001b[?25l"; // another screen, no cursor
    private static final String LEAVE = "\u001b[?25h\u001b[?1049l";
    private static final String HOME = "\u001b[H";
    private static final String REST_OF_LINE = "\u001b[K";
    private static final String REST_OF_SCREEN = "\u001b[J";
    private static final int USUAL_LINES = 24;

    private final Terminal terminal;
    private final int height;
    private boolean open = true;

    /** Takes the terminal's screen. Its height is known by the launcher: {@code lockstep.lines}. */
    public Screen(Terminal terminal) {
        this.terminal = terminal;
        height = Math.max(5, Integer.getInteger("lockstep.lines", USUAL_LINES));
        terminal.out().print(ENTER);
        terminal.out().flush();
    }

    /** Shows these lines; says how many there was no room for. */
    public synchronized void draw(List<String> lines) {
        if (!open) {
            return;
        }
        List<String> shown = new ArrayList<>(lines);
        if (lines.size() > height) {
            shown = new ArrayList<>(lines.subList(0, height - 1));
            shown.add("... and " + (lines.size() - height + 1) + " more lines; --kind shows less");
        }
        String text = String.join(REST_OF_LINE + "\r\n", shown);
        terminal.out().print(HOME + text + REST_OF_LINE + REST_OF_SCREEN);
        terminal.out().flush();
    }

    @Override
    public synchronized void close() {
        if (open) {
            open = false;
            terminal.out().print(LEAVE);
            terminal.out().flush();
        }
    }
}
