package dev.lockstep.cli.verify;

import dev.lockstep.core.spi.StoreTrait;
import java.util.List;

/** The generated matrix: every pair of requests that two parties can make. */
final class MatrixBehaviours {
    private static final int MOST_SHOWN = 10;

    private MatrixBehaviours() {}

    static List<Behaviour> all() {
        String expected = "the second is granted unless the two meet, and always after the release";
        return List.of(
                new Behaviour(
                        "H5.1",
                        "every ordered pair of 2 users, 4 accounts and 8 resources, exclusively",
                        expected,
                        stage -> judge(PairMatrix.exclusive(new Things("H5.1")), stage)),
                new Behaviour(
                        "H5.2",
                        "every ordered pair of the same, exclusively and shared",
                        expected + "; those who share don't exclude each other",
                        stage -> judge(
                                PairMatrix.ofModes(new Things("H5.2"), !stage.has(StoreTrait.TWO_MODES)), stage)));
    }

    private static TrialOutcome judge(PairMatrix matrix, Stage stage) throws Mismatch {
        List<String> failures = matrix.failures(stage);
        if (failures.isEmpty()) {
            return new TrialOutcome.Passed(matrix.pairs() + " pairs, each as expected");
        }
        throw Mismatch.of(
                failures.size() + " of " + matrix.pairs() + " pairs are not as expected:" + list(failures),
                failures.stream().anyMatch(failure -> failure.endsWith("should be refused"))
                        ? "Where something was granted that should be refused, two hold at once what only one may have. Don't use"
                                + " this store for locks before that is understood."
                        : "Where something was refused that should be granted, work waits without a holder; nothing is written twice.");
    }

    private static String list(List<String> failures) {
        String shown = failures.stream()
                .limit(MOST_SHOWN)
                .map(failure -> "\n- " + failure)
                .reduce("", String::concat);
        int more = failures.size() - MOST_SHOWN;
        return more > 0 ? shown + "\n- and " + more + " more" : shown;
    }
}
