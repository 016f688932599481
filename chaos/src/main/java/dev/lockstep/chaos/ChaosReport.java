package dev.lockstep.chaos;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a run did, and what was wrong with it.
 *
 * @param counts of what happened, by name, in the order in which they are shown
 * @param faults how often each fault struck
 * @param violations what should not have happened
 */
record ChaosReport(Map<String, String> counts, Map<String, Long> faults, List<Violation> violations) {
    private static final int MOST_SHOWN = 10;

    /** Reads and judges all histories. */
    static ChaosReport of(Records records, Promise promise) {
        OverlapRule overlaps = OverlapRule.check(records, promise);
        List<Violation> violations = Stream.of(
                        overlaps.violations(),
                        TokenRule.check(records, promise),
                        WriteRule.check(records),
                        GuardRule.check(records),
                        CalmRule.check(records),
                        QueueRule.check(records, promise),
                        EndRule.check(records))
                .flatMap(List::stream)
                .toList();
        Map<String, Long> faults = tally(records.all("fault"), line -> line.text("kind"));
        return new ChaosReport(ChaosCounts.of(records, overlaps), faults, violations);
    }

    static Map<String, Long> tally(List<HistoryLine> lines, Function<HistoryLine, String> by) {
        return lines.stream().collect(Collectors.groupingBy(by, TreeMap::new, Collectors.counting()));
    }

    boolean isClean() {
        return violations.isEmpty();
    }

    @Override
    public String toString() {
        String counted = counts.entrySet().stream()
                .map(each -> "  " + each.getKey() + ": " + each.getValue())
                .collect(Collectors.joining("\n"));
        String shown = violations.stream()
                .limit(MOST_SHOWN)
                .map(violation -> "\n  " + violation)
                .collect(Collectors.joining());
        long total = faults.values().stream().mapToLong(Long::longValue).sum();
        return counted + "\n  faults: " + total + " " + faults + "\n  violations: " + violations.size() + shown;
    }
}
