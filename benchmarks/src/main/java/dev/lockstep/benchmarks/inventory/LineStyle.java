package dev.lockstep.benchmarks.inventory;

import java.util.Locale;

/** How a line of a picture looks: colours that people who see no red or green can distinguish, and its own mark. */
enum LineStyle {
    DIAMOND("#e69f00", "M-5 0L0-5L5 0L0 5Z"),
    SQUARE("#d55e00", "M-3.5-3.5H3.5V3.5H-3.5Z"),
    TRIANGLE("#009e73", "M-4.5 3.5L0-4.5L4.5 3.5Z"),
    DOT("#0072b2", "M0-4A4 4 0 1 1 0 4A4 4 0 1 1 0-4Z"),
    /** Goes around the marks of a line that it mostly lies on. */
    RING("#b0508e", "M0-6.5A6.5 6.5 0 1 1 0 6.5A6.5 6.5 0 1 1 0-6.5Z");

    private final String colour;
    private final String mark;

    LineStyle(String colour, String mark) {
        this.colour = colour;
        this.mark = mark;
    }

    String line(String points) {
        String dashes = this == RING ? " stroke-dasharray=\"2 4\"" : "";
        return "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s/>\n"
                .formatted(points, colour, dashes);
    }

    String mark(double x, double y) {
        String look = this == RING ? "fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"" : "fill=\"%s\"";
        return String.format(Locale.ROOT, "<path transform=\"translate(%.1f %.1f)\" d=\"%s\" ", x, y, mark)
                + look.formatted(colour)
                + "/>\n";
    }
}
