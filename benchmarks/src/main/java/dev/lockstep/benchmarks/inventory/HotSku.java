package dev.lockstep.benchmarks.inventory;

import dev.lockstep.benchmarks.measure.Comparison;
import dev.lockstep.benchmarks.measure.Series;
import dev.lockstep.benchmarks.measure.ShopServer;
import dev.lockstep.benchmarks.measure.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One hot SKU, sold in all ways, for each number of clients. */
final class HotSku {
    private final ShopServer server;
    private final List<SaleRounds> results = new ArrayList<>();

    HotSku(ShopServer server) {
        this.server = server;
    }

    void add(SaleRounds rounds) {
        results.add(rounds);
    }

    /** The ratios that are asked for, and those between. */
    List<Comparison> comparisons() {
        return results.stream().flatMap(each -> compare(each).stream()).toList();
    }

    private List<Comparison> compare(SaleRounds rounds) {
        Optional<ShopServer.Asked> asked = server.asked(rounds.clients());
        return List.of(
                compare(rounds, SellingWay.OPTIMISTIC, asked.map(ShopServer.Asked::optimistic)),
                compare(rounds, SellingWay.FOR_UPDATE, asked.map(ShopServer.Asked::forUpdate)),
                compare(rounds, SellingWay.GUARDED_UPDATE, asked.map(ShopServer.Asked::guardedUpdate)));
    }

    private static Comparison compare(SaleRounds rounds, SellingWay peer, Optional<Double> asked) {
        String title = clients(rounds) + ", combining and " + peer;
        Series ours = rounds.perSecond(SellingWay.COMBINING);
        Series theirs = rounds.perSecond(peer);
        return asked.map(ratio -> Comparison.asking(ratio, title, ours, theirs))
                .orElseGet(() -> Comparison.only(title, ours, theirs));
    }

    private static String clients(SaleRounds rounds) {
        return rounds.clients() + (rounds.clients() == 1 ? " client" : " clients");
    }

    /** What combining's p99 is of FOR UPDATE's. */
    String p99() {
        TextTable table = new TextTable(List.of("p99, ms", "combining", "FOR UPDATE", "part", "asked", ""));
        results.forEach(each -> table.add(p99(each)));
        return table.toString();
    }

    private List<String> p99(SaleRounds rounds) {
        Series ours = rounds.p99(SellingWay.COMBINING);
        Series theirs = rounds.p99(SellingWay.FOR_UPDATE);
        double part = ours.dividedBy(theirs).median();
        Optional<Double> asked = server.askedPartOfP99(rounds.clients());
        return List.of(
                clients(rounds),
                Comparison.number("%,.2f", ours.median()),
                Comparison.number("%,.2f", theirs.median()),
                Comparison.number("%.3f", part),
                asked.map(most -> "≤ " + Comparison.number("%.3f", most)).orElse(""),
                asked.map(most -> part <= most ? "✓" : "✗").orElse(""));
    }

    String details() {
        TextTable table = new TextTable(
                List.of("one hot SKU", "clients", "reserved/s", "min", "max", "p50, ms", "p99, ms", "gave up"));
        for (SaleRounds rounds : results) {
            for (SellingWay way : SellingWay.ON_ONE_SKU) {
                table.add(details(rounds, way));
            }
        }
        return table.toString();
    }

    private static List<String> details(SaleRounds rounds, SellingWay way) {
        Series speed = rounds.perSecond(way);
        return List.of(
                way.toString(),
                Integer.toString(rounds.clients()),
                Comparison.number("%,.0f", speed.median()),
                Comparison.number("%,.0f", speed.min()),
                Comparison.number("%,.0f", speed.max()),
                Comparison.number("%,.2f", rounds.p50(way).median()),
                Comparison.number("%,.2f", rounds.p99(way).median()),
                Long.toString(rounds.gaveUp(way)));
    }
}
