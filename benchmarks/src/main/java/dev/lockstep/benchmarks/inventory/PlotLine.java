package dev.lockstep.benchmarks.inventory;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** One line of a picture. */
record PlotLine(LineStyle style, List<Point> points) {
    record Point(double x, double y) {}

    /** The same line with other points, for example with places instead of values. */
    PlotLine with(List<Point> others) {
        return new PlotLine(style, others);
    }

    /** The line and its marks, in the picture's own coordinates. */
    String svg() {
        String path = points.stream()
                .map(point -> String.format(Locale.ROOT, "%.1f,%.1f", point.x(), point.y()))
                .collect(Collectors.joining(" "));
        return points.stream()
                .map(point -> style.mark(point.x(), point.y()))
                .collect(Collectors.joining("", style.line(path), ""));
    }
}
