package dev.lockstep.benchmarks.inventory;

import dev.lockstep.benchmarks.measure.Comparison;
import dev.lockstep.benchmarks.measure.Series;
import dev.lockstep.benchmarks.measure.TextTable;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** How near adaptive comes to the best strategy, whatever the demand is like. */
final class Mixes {
    private static final double NEAR_ENOUGH = 0.8;

    private Mixes() {}

    /** Adaptive against the one that was fastest. */
    static Comparison compare(SaleRounds rounds) {
        SellingWay best = SellingWay.STRATEGIES.stream()
                .filter(way -> way != SellingWay.ADAPTIVE)
                .max(Comparator.comparingDouble(way -> rounds.perSecond(way).median()))
                .orElseThrow();
        return Comparison.asking(
                NEAR_ENOUGH,
                rounds.mix() + ": adaptive and " + best,
                rounds.perSecond(SellingWay.ADAPTIVE),
                rounds.perSecond(best));
    }

    static String details(List<SaleRounds> results) {
        TextTable table = new TextTable(
                List.of("reserved/s, " + results.get(0).clients() + " clients", "median", "min", "max", "gave up"));
        results.forEach(rounds -> SellingWay.STRATEGIES.forEach(way -> table.add(row(rounds, way))));
        return table + "\n\n" + phases(results);
    }

    private static List<String> row(SaleRounds rounds, SellingWay way) {
        Series speed = rounds.perSecond(way);
        return List.of(
                rounds.mix() + ", " + way,
                Comparison.number("%,.0f", speed.median()),
                Comparison.number("%,.0f", speed.min()),
                Comparison.number("%,.0f", speed.max()),
                Long.toString(rounds.gaveUp(way)));
    }

    /** What is behind a mean over time. */
    private static String phases(List<SaleRounds> results) {
        List<String> phases = Mix.CHANGING.phases();
        TextTable table =
                new TextTable(List.of("reserved/s in each part", phases.get(0), phases.get(1), phases.get(2)));
        results.stream()
                .filter(rounds -> rounds.mix() == Mix.CHANGING)
                .forEach(rounds -> SellingWay.STRATEGIES.forEach(way -> table.add(phases(rounds, way))));
        return table.toString();
    }

    private static List<String> phases(SaleRounds rounds, SellingWay way) {
        List<String> medians = IntStream.range(0, 3)
                .mapToObj(phase ->
                        Comparison.number("%,.0f", rounds.perSecond(way, phase).median()))
                .toList();
        return List.of(way.toString(), medians.get(0), medians.get(1), medians.get(2));
    }
}
