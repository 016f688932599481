package dev.lockstep.cli.verify;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The report for programs.
 *
 * @param store where it was tried, without passwords
 * @param proven whether everything was tried and nothing failed
 * @param outcomes how many ended in which way
 */
public record ReportJson(
        String store, boolean proven, long millis, Map<String, Long> outcomes, List<Entry> behaviours) {
    /**
     * One behaviour.
     *
     * @param outcome {@code passed}, {@code doubtful}, {@code failed}, {@code skipped} or {@code inapplicable}
     * @param seen what was seen, or why it was not tried or does not apply
     * @param remark how to read it or what to do, unless it passed
     */
    public record Entry(
            String id, String title, String expected, String outcome, String seen, String remark, long millis) {
        static Entry of(Result result) {
            Behaviour tried = result.behaviour();
            TrialOutcome outcome = result.outcome();
            String[] words = words(outcome);
            return new Entry(
                    tried.id(),
                    tried.title(),
                    tried.expected(),
                    outcome.name(),
                    words[0],
                    words[1],
                    result.took().toMillis());
        }

        private static String[] words(TrialOutcome outcome) {
            if (outcome instanceof TrialOutcome.Doubtful doubtful) {
                return new String[] {doubtful.seen(), doubtful.advice()};
            }
            if (outcome instanceof TrialOutcome.Failed failed) {
                return new String[] {failed.seen(), failed.meaning()};
            }
            if (outcome instanceof TrialOutcome.Inapplicable inapplicable) {
                return new String[] {inapplicable.reason(), ""};
            }
            return new String[] {
                outcome instanceof TrialOutcome.Passed passed
                        ? passed.seen()
                        : ((TrialOutcome.Skipped) outcome).reason(),
                ""
            };
        }
    }

    /** The report of a trial on this store. */
    public static ReportJson of(String store, Report report) {
        Map<String, Long> outcomes = new TreeMap<>();
        List.of("passed", "doubtful", "failed", "skipped", "inapplicable").forEach(name -> outcomes.put(name, 0L));
        report.results().forEach(result -> outcomes.merge(result.outcome().name(), 1L, Long::sum));
        return new ReportJson(
                store,
                report.isProof(),
                report.took().toMillis(),
                outcomes,
                report.results().stream().map(Entry::of).toList());
    }
}
