package dev.lockstep.inventory.sql;

import java.time.Duration;

/**
 * After how long a server that doesn't answer counts as gone.
 *
 * @param statementMillis for statements, which may wait for locks first
 * @param commitMillis for a commit
 */
public record TimeLimits(int statementMillis, int commitMillis) {
    public static TimeLimits of(Duration patience, Duration answerWithin) {
        return new TimeLimits(
                Math.toIntExact(patience.plus(answerWithin).toMillis()), Math.toIntExact(answerWithin.toMillis()));
    }
}
