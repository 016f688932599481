package dev.lockstep.benchmarks.redis;

import dev.lockstep.benchmarks.measure.Comparison;
import dev.lockstep.benchmarks.measure.Load;
import dev.lockstep.benchmarks.measure.Rounds;
import dev.lockstep.benchmarks.measure.TextTable;
import dev.lockstep.benchmarks.measure.WaitTimes;
import java.time.Duration;
import java.util.List;

/** Eight threads on one key with nothing to do inside it: how often it changes hands, and how long each waits for it. */
final class HandOff {
    private static final double TIMES_AS_OFTEN = 1.5;
    private static final double TIMES_AS_OFTEN_IN_ORDER = 3;

    private final TimedContender ours;
    private final TimedContender theirs;
    private final TimedContender fair;

    /** The second of theirs grants in the order of requests, as ours does. */
    HandOff(Taker ours, Taker theirs, Taker fair) {
        this.ours = TimedContender.of("Lockstep, hand-off", ours);
        this.theirs = TimedContender.of("Redisson RLock, hand-off", theirs);
        this.fair = TimedContender.of("Redisson FairLock, hand-off", fair);
    }

    List<Comparison> run(Duration turn, int rounds) throws InterruptedException {
        Rounds result = new Rounds(List.of(ours, theirs, fair), turn).run(rounds);
        String title = "hand-off of one key, " + Load.THREADS + " threads, ";
        return List.of(
                Comparison.asking(TIMES_AS_OFTEN, title + "RLock", result.of(ours), result.of(theirs)),
                Comparison.asking(TIMES_AS_OFTEN_IN_ORDER, title + "FairLock", result.of(ours), result.of(fair)));
    }

    String table() {
        TextTable table = new TextTable(List.of("waits of the hand-off, ms", "p50", "p99", "longest", "p99 asked", ""));
        double limit = theirs.waits().percentile(99);
        boolean reached = ours.waits().percentile(99) <= limit;
        table.add(row(ours, "≤ " + Comparison.number("%.2f", limit), reached ? "✓" : "✗"));
        table.add(row(theirs, "", ""));
        table.add(row(fair, "", ""));
        return table.toString();
    }

    private static List<String> row(TimedContender contender, String asked, String reached) {
        WaitTimes waits = contender.waits();
        return List.of(
                contender.name(),
                Comparison.number("%.2f", waits.median()),
                Comparison.number("%.2f", waits.percentile(99)),
                Comparison.number("%.2f", waits.max()),
                asked,
                reached);
    }
}
