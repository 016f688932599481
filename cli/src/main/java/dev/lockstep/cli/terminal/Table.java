package dev.lockstep.cli.terminal;

import java.util.ArrayList;
import java.util.List;
import org.jline.utils.WCWidth;

/** Rows under headings, made to fit a width: columns that may shrink do so from the widest on, and long texts lose their middle. */
public final class Table {
    private static final String GAP = "  ";
    private static final int NARROWEST = 8;

    private final List<String> headings;
    private final List<Boolean> shrinks;
    private final List<List<String>> rows = new ArrayList<>();

    /** A heading that ends with {@code ~} is of a column that may shrink. */
    public Table(String... headings) {
        this.headings = List.of(headings).stream().map(Table::name).toList();
        shrinks = List.of(headings).stream().map(each -> each.endsWith("~")).toList();
    }

    private static String name(String heading) {
        return heading.replace("~", "");
    }

    /** Adds a row. */
    public void add(String... cells) {
        rows.add(List.of(cells));
    }

    /** The lines, the headings first, none longer than the terminal is wide: on a narrow one the last columns are left out. */
    public List<String> lines(Terminal terminal) {
        int[] widths = fitted(terminal.columns());
        String ellipsis = terminal.unicode() ? "…" : "..";
        List<String> lines = new ArrayList<>();
        lines.add(terminal.bold(line(headings, widths, ellipsis)));
        rows.forEach(row -> lines.add(line(row, widths, ellipsis)));
        return lines;
    }

    private int[] fitted(int columns) {
        int[] widths = fitted(columns, headings.size());
        for (int shown = headings.size() - 1; shown > 1 && length(widths) > columns; shown--) {
            widths = fitted(columns, shown); // the last columns say the least
        }
        return widths;
    }

    private static int length(int[] widths) {
        return sum(widths) + GAP.length() * (widths.length - 1);
    }

    private int[] fitted(int columns, int shown) {
        int[] widths = new int[shown];
        for (int i = 0; i < widths.length; i++) {
            int column = i;
            widths[i] = rows.stream()
                    .mapToInt(row -> width(row.get(column)))
                    .reduce(headings.get(i).length(), Math::max);
        }
        int room = columns - GAP.length() * (widths.length - 1);
        for (int total = sum(widths); total > room; total--) {
            int widest = widest(widths);
            if (widest < 0) {
                break;
            }
            widths[widest]--;
        }
        return widths;
    }

    private int widest(int[] widths) {
        int widest = -1;
        for (int i = 0; i < widths.length; i++) {
            if (shrinks.get(i) && widths[i] > NARROWEST && (widest < 0 || widths[i] > widths[widest])) {
                widest = i;
            }
        }
        return widest;
    }

    private static int sum(int[] widths) {
        int sum = 0;
        for (int width : widths) {
            sum += width;
        }
        return sum;
    }

    private static int width(String text) {
        return text.codePoints().map(each -> Math.max(0, WCWidth.wcwidth(each))).sum();
    }

    private static String line(List<String> cells, int[] widths, String ellipsis) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String cell = shortened(cells.get(i), widths[i], ellipsis);
            line.append(i == 0 ? "" : GAP).append(cell).append(" ".repeat(widths[i] - width(cell)));
        }
        return line.toString().stripTrailing();
    }

    /** Both ends of a key or a line of code say more than its middle. */
    private static String shortened(String text, int width, String ellipsis) {
        int length = width(text);
        if (length <= width) {
            return text;
        }
        int kept = width - ellipsis.length();
        int head = kept / 2;
        return start(text, head) + ellipsis + end(text, kept - head);
    }

    private static String start(String text, int width) {
        int end = 0;
        for (int room = width; end < text.length(); end += Character.charCount(text.codePointAt(end))) {
            room -= Math.max(0, WCWidth.wcwidth(text.codePointAt(end)));
            if (room < 0) {
                break;
            }
        }
        return text.substring(0, end);
    }

    private static String end(String text, int width) {
        int start = text.length();
        for (int room = width; start > 0; start -= Character.charCount(text.codePointBefore(start))) {
            room -= Math.max(0, WCWidth.wcwidth(text.codePointBefore(start)));
            if (room < 0) {
                break;
            }
        }
        return text.substring(start);
    }
}
