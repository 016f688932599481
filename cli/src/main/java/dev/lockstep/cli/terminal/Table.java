package dev.lockstep.cli.terminal;

import java.util.ArrayList;
import java.util.List;

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

    /** The lines, the headings first, none longer than the terminal is wide unless there are too many columns for that. */
    public List<String> lines(Terminal terminal) {
        int[] widths = fitted(terminal.columns());
        String ellipsis = terminal.unicode() ? "…" : "..";
        List<String> lines = new ArrayList<>();
        lines.add(terminal.bold(line(headings, widths, ellipsis)));
        rows.forEach(row -> lines.add(line(row, widths, ellipsis)));
        return lines;
    }

    private int[] fitted(int columns) {
        int[] widths = new int[headings.size()];
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
        return text.codePointCount(0, text.length());
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
        int tail = kept - head;
        return text.substring(0, text.offsetByCodePoints(0, head))
                + ellipsis
                + text.substring(text.offsetByCodePoints(0, length - tail));
    }
}
