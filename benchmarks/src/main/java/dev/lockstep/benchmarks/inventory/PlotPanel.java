package dev.lockstep.benchmarks.inventory;

import dev.lockstep.benchmarks.inventory.PlotLine.Point;
import java.util.List;
import java.util.Locale;

/**
 * One set of axes with its lines; both axes are logarithmic.
 *
 * @param left where the axes begin, from the left of the picture
 * @param lines in values, not yet in places
 */
record PlotPanel(String title, double left, List<PlotLine> lines) {
    static final double WIDTH = 380;
    static final double TOP = 70;
    static final double BOTTOM = 350;

    String svg() {
        LogScale x = acrossClients();
        LogScale y = LogScale.around(values(false), BOTTOM, TOP);
        StringBuilder svg = new StringBuilder();
        svg.append(label(left, TOP - 16, "start", "bold", title));
        y.ticks()
                .forEach(tick -> svg.append(line(left, y.at(tick), left + WIDTH, y.at(tick)))
                        .append(label(left - 8, y.at(tick) + 4, "end", "normal", number(tick))));
        clients()
                .forEach(count -> svg.append(line(x.at(count), TOP, x.at(count), BOTTOM))
                        .append(label(x.at(count), BOTTOM + 20, "middle", "normal", number(count))));
        svg.append(label(left + WIDTH / 2, BOTTOM + 42, "middle", "normal", "clients"));
        lines.forEach(each -> svg.append(each.with(each.points().stream()
                        .map(point -> new Point(x.at(point.x()), y.at(point.y())))
                        .toList())
                .svg()));
        return svg.toString();
    }

    /** With some room on both sides, so that no mark lies on the edge. */
    private LogScale acrossClients() {
        double least = clients().get(0);
        double most = clients().get(clients().size() - 1);
        return new LogScale(least / 1.3, most * 1.3, left, left + WIDTH);
    }

    private List<Double> clients() {
        return values(true).stream().distinct().sorted().toList();
    }

    private List<Double> values(boolean clients) {
        return lines.stream()
                .flatMap(line -> line.points().stream())
                .map(point -> clients ? point.x() : point.y())
                .toList();
    }

    private static String line(double x1, double y1, double x2, double y2) {
        return text("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#dddddd\"/>\n", x1, y1, x2, y2);
    }

    static String label(double x, double y, String anchor, String weight, String words) {
        String escaped = words.replace("&", "&amp;").replace("<", "&lt;");
        return text(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-weight=\"%s\">%s</text>\n",
                x, y, anchor, weight, escaped);
    }

    private static String number(double value) {
        return value < 1 ? text("%.4f", value).replaceAll("0+$", "") : text("%,.0f", value);
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
