package dev.lockstep.testkit;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What an {@link ExclusionChecker} found.
 *
 * @param sections how many sections were logged, by all processes
 * @param lostIncrements how many increments of the counters are missing
 * @param overlaps how many sections began while another ran that should exclude them
 * @param tornReads how many shared sections saw the counter move
 * @param tokensOutOfOrder how many sections came after one with a newer token
 * @param examples the first of each kind, for people to read
 */
public record ExclusionReport(
        long sections,
        long lostIncrements,
        long overlaps,
        long tornReads,
        long tokensOutOfOrder,
        List<String> examples) {
    /** Keeps a copy. */
    public ExclusionReport {
        examples = List.copyOf(examples);
    }

    /** Whether nothing was wrong. */
    public boolean isClean() {
        return lostIncrements == 0 && overlaps == 0 && tornReads == 0 && tokensOutOfOrder == 0;
    }

    @Override
    public String toString() {
        String counts = sections + " sections: " + lostIncrements + " lost increments, " + overlaps + " overlaps, "
                + tornReads + " torn reads, " + tokensOutOfOrder + " tokens out of order";
        return examples.isEmpty() ? counts : counts + "\n  " + String.join("\n  ", examples);
    }

    /** Gathers what is wrong. */
    static final class Findings {
        private static final int MOST_EXAMPLES = 5; // of each kind

        private final Set<String> examples = new LinkedHashSet<>();
        private long lostIncrements;
        private long overlaps;
        private long tornReads;
        private long tokensOutOfOrder;
        private long wrongCounts;

        void counted(String key, long expected, long actual) {
            if (expected != actual) {
                lostIncrements += Math.abs(expected - actual);
                example(++wrongCounts, key + " was counted to " + actual + " in " + expected + " exclusive sections");
            }
        }

        void overlap(Section running, Section section) {
            example(++overlaps, section + " began during " + running);
        }

        void torn(String key) {
            example(++tornReads, key + " was changed during a shared section");
        }

        void tokenOutOfOrder(Section before, Section section) {
            example(++tokensOutOfOrder, section + " came after " + before);
        }

        private void example(long number, String text) {
            if (number <= MOST_EXAMPLES) {
                examples.add(text);
            }
        }

        ExclusionReport report(long sections) {
            return new ExclusionReport(
                    sections, lostIncrements, overlaps, tornReads, tokensOutOfOrder, List.copyOf(examples));
        }
    }
}
