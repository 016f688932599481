package dev.lockstep.benchmarks.inventory;

import dev.lockstep.benchmarks.measure.Comparison;
import dev.lockstep.benchmarks.measure.Series;
import dev.lockstep.benchmarks.measure.ShopServer;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** All that is measured on one database, with what came out as tables and pictures. */
final class ShopRun {
    private final InventoryRun run;
    private final SaleServer shop;
    private final PrintStream out;

    ShopRun(InventoryRun run, SaleServer shop, PrintStream out) {
        this.run = run;
        this.shop = shop;
        this.out = out;
    }

    List<Comparison> run() throws Exception {
        describe();
        List<Comparison> comparisons = new ArrayList<>();
        for (InventoryPart part : run.parts()) {
            switch (part) {
                case HOT -> comparisons.addAll(hot());
                case MIXES -> comparisons.addAll(mixes());
                case ORDERS -> comparisons.addAll(orders());
                case CROWD -> comparisons.addAll(crowd());
                case PLOT -> plot();
                case PROFILE -> profile();
            }
        }
        return comparisons;
    }

    private void describe() throws SQLException {
        shop.describe(out);
        out.printf(
                "each client asks again as soon as it is answered; %d rounds in turns of %.1f s; medians%n%n",
                run.rounds(), run.turn().toMillis() / 1e3);
        for (SellingWay way : SellingWay.values()) {
            out.println("- " + way + ": " + way.description());
        }
        out.println();
    }

    private List<Comparison> hot() throws Exception {
        HotSku hot = new HotSku(shop.kind());
        for (int clients : run.clientsOr(1, 8, 128)) {
            hot.add(rounds(Mix.HOT, clients, SellingWay.ON_ONE_SKU));
        }
        out.println(Comparison.table(hot.comparisons()) + "\n");
        out.println(hot.p99() + "\n");
        out.println(hot.details() + "\n");
        return hot.comparisons();
    }

    private List<Comparison> mixes() throws Exception {
        List<SaleRounds> results = new ArrayList<>();
        for (Mix mix : List.of(Mix.HOT, Mix.COLD, Mix.CHANGING)) {
            results.add(rounds(mix, most(run.clientsOr(128)), SellingWay.STRATEGIES));
        }
        List<Comparison> comparisons = results.stream().map(Mixes::compare).toList();
        out.println(Comparison.table(comparisons) + "\n");
        out.println(Mixes.details(results) + "\n");
        // H2 keeps its pages in the heap that would be looked at.
        if (shop.kind() != ShopServer.H2) {
            out.println(IdleSkus.measure(shop, run.skus()) + "\n");
        }
        return comparisons;
    }

    /** Orders over the whole shop: group commit against what a shop writes by hand. */
    private List<Comparison> orders() throws Exception {
        List<SellingWay> ways = List.of(SellingWay.GUARDED_UPDATE, SellingWay.ADAPTIVE, SellingWay.GROUP_COMMIT);
        List<Comparison> comparisons = new ArrayList<>();
        for (Mix mix : List.of(Mix.COLD, Mix.ORDERS)) {
            SaleRounds rounds = rounds(mix, most(run.clientsOr(128)), ways);
            Series ours = rounds.perSecond(SellingWay.GROUP_COMMIT);
            String title = mix + ": group commit and ";
            Series byHand = rounds.perSecond(SellingWay.GUARDED_UPDATE);
            comparisons.add(shop.kind()
                    .askedOfOrders()
                    .map(ratio -> Comparison.asking(ratio, title + SellingWay.GUARDED_UPDATE, ours, byHand))
                    .orElseGet(() -> Comparison.only(title + SellingWay.GUARDED_UPDATE, ours, byHand)));
            comparisons.add(Comparison.only(title + SellingWay.ADAPTIVE, ours, rounds.perSecond(SellingWay.ADAPTIVE)));
        }
        out.println(Comparison.table(comparisons) + "\n");
        return comparisons;
    }

    private List<Comparison> crowd() throws Exception {
        SoldOutCrowd crowd = new SoldOutCrowd(shop, most(run.clientsOr(256)), run.turn()).run(run.rounds());
        out.println(Comparison.table(crowd.comparisons()) + "\n");
        return crowd.comparisons();
    }

    private void plot() throws Exception {
        List<SaleRounds> results = new ArrayList<>();
        for (int clients : run.clientsOr(1, 8, 32, 128, 512)) {
            results.add(rounds(Mix.HOT, clients, SellingWay.ON_ONE_SKU));
        }
        ClientsPlot picture = new ClientsPlot("One hot SKU on " + product(), results);
        out.println("Picture: " + picture.writeTo(run.images(), shop.kind()) + "\n");
    }

    private void profile() throws Exception {
        for (SellingWay way : SellingWay.ON_ONE_SKU) {
            out.println(Profile.of(shop, way, most(run.clientsOr(128)), run.turn()) + "\n");
        }
    }

    private SaleRounds rounds(Mix mix, int clients, List<SellingWay> ways) throws Exception {
        return new SaleRounds(shop, mix, clients, run.turn()).run(ways, run.rounds());
    }

    private static int most(List<Integer> clients) {
        return clients.get(clients.size() - 1);
    }

    private String product() throws SQLException {
        try (Connection connection = shop.pool().getConnection()) {
            DatabaseMetaData about = connection.getMetaData();
            return about.getDatabaseProductName() + " " + about.getDatabaseMajorVersion() + "."
                    + about.getDatabaseMinorVersion();
        }
    }
}
