package dev.lockstep.benchmarks.redis;

import dev.lockstep.benchmarks.measure.Comparison;
import dev.lockstep.benchmarks.measure.Series;
import dev.lockstep.benchmarks.measure.TextTable;
import dev.lockstep.benchmarks.measure.WaitTimes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How unequal the waits for one key are when many processes want it: the longest, divided by the median. */
final class Fairness {
    private static final double AT_MOST = 3;

    private final KeyCrowd crowd;
    private final Duration turn;
    private final Map<String, List<WaitTimes>> waits = new LinkedHashMap<>();

    Fairness(KeyCrowd crowd, Duration turn) {
        this.crowd = crowd;
        this.turn = turn;
        List.of(KeyCrowd.LOCKSTEP, KeyCrowd.LOCK, KeyCrowd.FAIR_LOCK).forEach(who -> waits.put(who, new ArrayList<>()));
    }

    /** Everyone in turns; one round that doesn't count comes first. */
    Fairness run(int rounds) throws Exception {
        for (String who : waits.keySet()) {
            System.err.printf("  warming up: fairness, %s%n", name(who));
            turn(who);
        }
        for (int round = 1; round <= rounds; round++) {
            for (Map.Entry<String, List<WaitTimes>> each : waits.entrySet()) {
                WaitTimes result = turn(each.getKey());
                each.getValue().add(result);
                System.err.printf(
                        "  round %d of %d: fairness, %s: longest wait is %.2f times the median%n",
                        round, rounds, name(each.getKey()), inequality(result));
            }
        }
        return this;
    }

    private WaitTimes turn(String who) throws Exception {
        long millis = turn.toMillis();
        return crowd.wait(new KeyCrowd.Order(who, millis / 2, 2 * millis));
    }

    private static String name(String who) {
        return switch (who) {
            case KeyCrowd.LOCKSTEP -> "Lockstep";
            case KeyCrowd.LOCK -> "Redisson RLock";
            default -> "Redisson FairLock";
        };
    }

    private static double inequality(WaitTimes waits) {
        return waits.max() / waits.median();
    }

    String table() {
        TextTable table = new TextTable(List.of(
                "waits, ms", "holds/s", "median", "p99", "longest", "longest / median", "worst round", "asked", ""));
        waits.forEach((who, rounds) -> table.add(row(who, rounds)));
        return table.toString();
    }

    private List<String> row(String who, List<WaitTimes> rounds) {
        WaitTimes all = new WaitTimes();
        rounds.forEach(round -> all.addAll(round.all()));
        Series ratios = new Series(rounds.stream().map(Fairness::inequality).toList());
        boolean asks = who.equals(KeyCrowd.LOCKSTEP);
        double seconds = 2 * turn.toMillis() / 1e3 * rounds.size();
        return List.of(
                name(who),
                Comparison.number("%,.0f", all.count() / seconds),
                Comparison.number("%,.1f", all.median()),
                Comparison.number("%,.1f", all.percentile(99)),
                Comparison.number("%,.1f", all.max()),
                Comparison.number("%,.2f", ratios.median()),
                Comparison.number("%,.2f", ratios.max()),
                asks ? "≤ " + Comparison.number("%.2f", AT_MOST) : "",
                asks ? (ratios.median() <= AT_MOST ? "✓" : "✗") : "");
    }
}
