package dev.lockstep.benchmarks.inventory;

import dev.lockstep.benchmarks.measure.Comparison;
import dev.lockstep.benchmarks.measure.TextTable;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Where the time of the transactions goes, statement by statement, as the client sees it. */
final class Profile {
    private Profile() {}

    static String of(SaleServer shop, SellingWay way, int clients, Duration turn)
            throws SQLException, InterruptedException {
        System.err.printf("  profile: %s, %d clients%n", way, clients);
        StatementTimes times = new StatementTimes();
        Demand demand = Mix.HOT.of(shop.stockUp(Mix.HOT.skus()));
        try (Seller seller = way.open(times.watch(shop.pool()))) {
            Sales sales = Sales.of(ClosedLoop.run(seller, demand, clients, turn), turn, 1);
            long reserved = sales.count(Seller.Answer.RESERVED);
            TextTable table = new TextTable(List.of(
                    way + ", " + clients + (clients == 1 ? " client" : " clients"),
                    "calls",
                    "for each reservation",
                    "mean, ms",
                    "in all, s"));
            times.forEach((what, calls, nanos) -> table.add(List.of(
                    what,
                    Long.toString(calls),
                    Comparison.number("%.3f", (double) calls / reserved),
                    Comparison.number("%.3f", nanos / 1e6 / calls),
                    Comparison.number("%.2f", nanos / 1e9))));
            return table.toString();
        }
    }
}
