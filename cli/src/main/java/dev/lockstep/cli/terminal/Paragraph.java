package dev.lockstep.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/** Text in lines of a given width. */
public final class Paragraph {
    private static final int NARROWEST = 20;

    private Paragraph() {}

    /** Breaks between words, and where the text breaks; a word that is too long stays whole. */
    public static List<String> lines(String text, int width) {
        List<String> lines = new ArrayList<>();
        text.lines().forEach(part -> wrap(part, Math.max(NARROWEST, width), lines));
        return lines;
    }

    private static void wrap(String part, int width, List<String> lines) {
        StringBuilder line = new StringBuilder();
        for (String word : part.strip().split(" +", -1)) {
            if (line.length() > 0 && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.length() > 0 ? " " : "").append(word);
        }
        lines.add(line.toString());
    }
}
