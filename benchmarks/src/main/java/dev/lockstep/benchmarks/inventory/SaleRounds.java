package dev.lockstep.benchmarks.inventory;

import dev.lockstep.benchmarks.inventory.Seller.Answer;
import dev.lockstep.benchmarks.measure.Series;
import dev.lockstep.inventory.StockKey;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The ways to sell in turns with one demand, every second round in the other direction. Each turn begins with full shelves and a new
 * seller, and ends with a look into the books.
 */
final class SaleRounds {
    private final SaleServer shop;
    private final Mix mix;
    private final int clients;
    private final Duration turn;
    private final Map<SellingWay, List<Turn>> turns = new EnumMap<>(SellingWay.class);

    /** The figures of one turn. Latencies are in milliseconds. */
    private record Turn(double rate, List<Double> phases, double p50, double p99, long gaveUp) {
        static Turn of(Sales sales) {
            return new Turn(
                    sales.rate(), sales.perSecond(), sales.percentile(50), sales.percentile(99), sales.gaveUp());
        }
    }

    SaleRounds(SaleServer shop, Mix mix, int clients, Duration turn) {
        this.shop = shop;
        this.mix = mix;
        this.clients = clients;
        this.turn = turn.multipliedBy(mix.phases().size());
    }

    /** One round that doesn't count, then those that do. */
    SaleRounds run(List<SellingWay> ways, int rounds) throws SQLException, InterruptedException {
        for (SellingWay way : ways) {
            System.err.printf("  warming up: %s, %s, %d clients%n", way, mix, clients);
            turn(way);
        }
        for (int round = 1; round <= rounds; round++) {
            List<SellingWay> order = new ArrayList<>(ways);
            if (round % 2 == 0) {
                Collections.reverse(order);
            }
            for (SellingWay way : order) {
                Turn result = Turn.of(turn(way));
                turns.computeIfAbsent(way, any -> new ArrayList<>()).add(result);
                System.err.printf(
                        "  round %d of %d: %s, %s, %d clients: %,.0f/s%n",
                        round, rounds, way, mix, clients, result.rate());
            }
        }
        return this;
    }

    private Sales turn(SellingWay way) throws SQLException, InterruptedException {
        List<StockKey> stock = shop.stockUp(mix.skus());
        Demand demand = mix.of(stock);
        try (Seller seller = OrderSeller.of(way.open(shop.pool()), stock, mix.lines())) {
            Sales sales = Sales.of(
                    ClosedLoop.run(seller, demand, clients, turn),
                    turn,
                    mix.phases().size());
            new SaleAudit(shop.pool()).check(sales.count(Answer.RESERVED), sales.count(Answer.UNKNOWN));
            return sales;
        }
    }

    int clients() {
        return clients;
    }

    Mix mix() {
        return mix;
    }

    Series perSecond(SellingWay way) {
        return series(way, Turn::rate);
    }

    Series perSecond(SellingWay way, int phase) {
        return series(way, each -> each.phases().get(phase));
    }

    Series p50(SellingWay way) {
        return series(way, Turn::p50);
    }

    Series p99(SellingWay way) {
        return series(way, Turn::p99);
    }

    /** In all rounds. */
    long gaveUp(SellingWay way) {
        return of(way).stream().mapToLong(Turn::gaveUp).sum();
    }

    private Series series(SellingWay way, ToDoubleFunction<Turn> figure) {
        return new Series(of(way).stream().map(figure::applyAsDouble).toList());
    }

    private List<Turn> of(SellingWay way) {
        return turns.getOrDefault(way, List.of());
    }
}
