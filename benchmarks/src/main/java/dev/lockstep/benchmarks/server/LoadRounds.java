package dev.lockstep.benchmarks.server;

import dev.lockstep.benchmarks.measure.Comparison;
import dev.lockstep.benchmarks.measure.Series;
import dev.lockstep.benchmarks.measure.TextTable;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** All kinds of requests in turns on one server, and what came of it. */
final class LoadRounds {
    private static final String CONSTANT = "constant handler";
    private static final String REQUESTS = "lock or unlock in memory";
    private static final String RESERVATIONS = "reservation on PostgreSQL";
    private static final double ASKED_PAIRS = 0.3;
    private static final int ASKED_RESERVATIONS = 3_000;
    private static final int ASKED_P99_MILLIS = 250;

    private final ServerRun run;
    private final HttpLoad load;
    private final Map<String, Supplier<HttpVisitor>> visitors = new LinkedHashMap<>();
    private final Map<String, List<LoadTurn>> turns = new LinkedHashMap<>();

    LoadRounds(ServerRun run, HttpLoad load) {
        this.run = run;
        this.load = load;
        if (run.parts().contains(ServerPart.LOCKS)) {
            visitors.put(CONSTANT, HttpVisits::constant);
            visitors.put(REQUESTS, HttpVisits::locking);
        }
        if (run.parts().contains(ServerPart.STOCK)) {
            visitors.put(RESERVATIONS, HttpVisits::reserving);
        }
    }

    void run(PrintStream out) throws IOException {
        Duration part = run.warmUp().dividedBy(visitors.size() * 2L);
        for (int i = 0; i < 2; i++) {
            for (Supplier<HttpVisitor> each : visitors.values()) {
                load.turn(each, part);
            }
        }
        for (int i = 0; i < run.rounds(); i++) {
            for (Map.Entry<String, Supplier<HttpVisitor>> each : visitors.entrySet()) {
                turns.computeIfAbsent(each.getKey(), fresh -> new ArrayList<>())
                        .add(load.turn(each.getValue(), run.turn()));
            }
        }
        print(out);
    }

    private void print(PrintStream out) {
        TextTable table = new TextTable(
                List.of("request", "requests/s", "p50, ms", "p99, ms", "server, µs of CPU", "load, µs of CPU"));
        for (String name : visitors.keySet()) {
            table.add(List.of(
                    name,
                    Comparison.number("%,.0f", of(name, LoadTurn::perSecond).median()),
                    Comparison.number("%.1f", percentile(name, 50).median()),
                    Comparison.number("%.1f", percentile(name, 99).median()),
                    Comparison.number("%.0f", of(name, LoadTurn::serverMicros).median()),
                    Comparison.number("%.0f", of(name, LoadTurn::ownMicros).median())));
        }
        out.println(table);
        out.println();
        if (visitors.containsKey(REQUESTS)) {
            out.println(pairs());
        }
        if (visitors.containsKey(RESERVATIONS)) {
            out.println(reservations());
        }
    }

    /** A pair is two requests. */
    private String pairs() {
        Series pairs = of(REQUESTS, turn -> turn.perSecond() / 2);
        double ratio = pairs.dividedBy(of(CONSTANT, LoadTurn::perSecond)).median();
        return "pairs of lock and unlock: " + Comparison.number("%,.0f", pairs.median()) + "/s, "
                + Comparison.number("%.2f", ratio) + " of the constant handler's requests; asked: ≥ " + ASKED_PAIRS
                + tick(ratio >= ASKED_PAIRS);
    }

    private String reservations() {
        double rate = of(RESERVATIONS, LoadTurn::perSecond).median();
        double p99 = percentile(RESERVATIONS, 99).median();
        return "reservations of one SKU: " + Comparison.number("%,.0f", rate) + "/s, p99 "
                + Comparison.number("%.0f", p99) + " ms; asked: ≥ " + ASKED_RESERVATIONS + "/s, p99 < "
                + ASKED_P99_MILLIS + " ms" + tick(rate >= ASKED_RESERVATIONS && p99 < ASKED_P99_MILLIS);
    }

    private static String tick(boolean reached) {
        return reached ? " ✓" : " ✗";
    }

    private Series of(String name, ToDoubleFunction<LoadTurn> figure) {
        return new Series(turns.getOrDefault(name, List.of()).stream()
                .map(figure::applyAsDouble)
                .toList());
    }

    private Series percentile(String name, double percent) {
        return of(name, turn -> turn.latencies().percentile(percent));
    }
}
