package dev.lockstep.benchmarks.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Contenders in turns, every second round in the other direction, so that none always follows the same one. */
public final class Rounds {
    private final List<Contender> contenders;
    private final Duration turn;
    private final Map<Contender, List<Double>> speeds = new HashMap<>();
    private final Map<Contender, Long> refused = new HashMap<>();

    public Rounds(List<Contender> contenders, Duration turn) {
        this.contenders = contenders;
        this.turn = turn;
    }

    /** One round that doesn't count, for the JIT and the caches, then those that do. */
    public Rounds run(int rounds) throws InterruptedException {
        for (Contender contender : contenders) {
            System.err.printf("  warming up: %s%n", contender.name());
            Load.turn(contender, turn);
        }
        contenders.forEach(Contender::warmedUp);
        for (int round = 1; round <= rounds; round++) {
            List<Contender> order = new ArrayList<>(contenders);
            if (round % 2 == 0) {
                Collections.reverse(order);
            }
            for (Contender contender : order) {
                Load.Turn result = Load.turn(contender, turn);
                note(contender, result);
                System.err.printf(
                        "  round %d of %d: %s: %,.0f/s%n", round, rounds, contender.name(), result.perSecond());
            }
        }
        return this;
    }

    private void note(Contender contender, Load.Turn result) {
        speeds.computeIfAbsent(contender, any -> new ArrayList<>()).add(result.perSecond());
        refused.merge(contender, result.refused(), Long::sum);
    }

    public List<Contender> contenders() {
        return contenders;
    }

    public Series of(Contender contender) {
        return new Series(speeds.getOrDefault(contender, List.of()));
    }

    public long refused(Contender contender) {
        return refused.getOrDefault(contender, 0L);
    }
}
