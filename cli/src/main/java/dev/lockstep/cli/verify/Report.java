package dev.lockstep.cli.verify;

import java.time.Duration;
import java.util.List;

/**
 * What became of all behaviours that were asked for.
 *
 * @param unreachable whether the store could not be reached any more, so that the rest was not tried
 */
public record Report(List<Result> results, Duration took, boolean unreachable) {
    /** Keeps a copy. */
    public Report {
        results = List.copyOf(results);
    }

    /** How many ended this way. */
    public long count(Class<? extends TrialOutcome> kind) {
        return results.stream().map(Result::outcome).filter(kind::isInstance).count();
    }

    /** Whether everything that applies was tried and nothing failed. */
    public boolean isProof() {
        return count(TrialOutcome.Failed.class) == 0 && count(TrialOutcome.Skipped.class) == 0;
    }
}
