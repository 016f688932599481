package dev.lockstep.benchmarks.inventory;

import dev.lockstep.benchmarks.inventory.PlotLine.Point;
import dev.lockstep.benchmarks.measure.Series;
import dev.lockstep.benchmarks.measure.ShopServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A picture of one database: reservations and p99 by the number of clients, a line for each way to sell. */
record ClientsPlot(String title, List<SaleRounds> results) {
    private static final double FIRST = 70;
    private static final double SECOND = 530;
    private static final double LEGEND = 430;

    String svg() {
        String panels = Stream.of(
                        new PlotPanel("reservations per second", FIRST, lines(SaleRounds::perSecond)),
                        new PlotPanel("p99 of the answers, ms", SECOND, lines(SaleRounds::p99)))
                .map(PlotPanel::svg)
                .collect(Collectors.joining());
        return """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 940 460" width="940" height="460"
                  font-family="sans-serif" font-size="13" fill="#222222">
                <rect width="940" height="460" fill="#ffffff"/>
                %s%s%s</svg>
                """.formatted(PlotPanel.label(FIRST, 22, "start", "bold", title), panels, legend());
    }

    /** Points that are no positive number have no place on such a scale. */
    private List<PlotLine> lines(BiFunction<SaleRounds, SellingWay, Series> figure) {
        return SellingWay.ON_ONE_SKU.stream()
                .map(way -> new PlotLine(
                        style(way),
                        results.stream()
                                .map(rounds -> new Point(
                                        rounds.clients(),
                                        figure.apply(rounds, way).median()))
                                .filter(point -> point.y() > 0)
                                .toList()))
                .toList();
    }

    private static LineStyle style(SellingWay way) {
        return switch (way) {
            case OPTIMISTIC -> LineStyle.DIAMOND;
            case FOR_UPDATE -> LineStyle.SQUARE;
            case GUARDED_UPDATE -> LineStyle.TRIANGLE;
            case COMBINING -> LineStyle.DOT;
            case GROUP_COMMIT, ADAPTIVE -> LineStyle.RING;
        };
    }

    private static String legend() {
        StringBuilder svg = new StringBuilder();
        double x = FIRST;
        for (SellingWay way : SellingWay.ON_ONE_SKU) {
            svg.append(new PlotLine(style(way), List.of(new Point(x, LEGEND), new Point(x + 24, LEGEND))).svg());
            svg.append(PlotPanel.label(x + 36, LEGEND + 4, "start", "normal", way.toString()));
            x += 170;
        }
        return svg.toString();
    }

    Path writeTo(Path directory, ShopServer server) throws IOException {
        Files.createDirectories(directory);
        return Files.writeString(directory.resolve("inventory-" + server + ".svg"), svg());
    }
}
