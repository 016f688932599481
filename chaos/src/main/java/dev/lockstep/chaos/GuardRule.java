package dev.lockstep.chaos;

import dev.lockstep.core.FencingToken;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The guard refuses only a token that is lower than one that was granted for the same thing. */
final class GuardRule {
    /** A later holder may have written before its grant is in its history. */
    private static final long ROUND_TRIP = Duration.ofSeconds(1).toNanos();

    private GuardRule() {}

    static List<Violation> check(Records records) {
        List<Violation> violations = new ArrayList<>();
        List<HistoryLine> writes = records.all("write");
        for (HistoryLine write : writes) {
            if (!WriteRule.isAccepted(write) && !hasReason(write, writes, records.calls())) {
                violations.add(new Violation("guard", "the guard refused the highest token\n    " + write));
            }
        }
        return violations;
    }

    private static boolean hasReason(HistoryLine refused, List<HistoryLine> writes, List<Call> calls) {
        String thing = refused.text("thing");
        FencingToken token = TokenText.parse(refused.text("token"));
        LockedKey key = new LockedKey(thing, true);
        return writes.stream()
                        .filter(write -> WriteRule.isAccepted(write)
                                && write.text("thing").equals(thing))
                        .anyMatch(write -> TokenText.parse(write.text("token")).compareTo(token) > 0)
                || calls.stream()
                        .filter(call -> call.invoked() < refused.nanos())
                        .filter(call -> call.stakes().stream().anyMatch(key::isRelatedTo))
                        .anyMatch(
                                call -> call.answer().isEmpty() || isHigher(call, token, refused.nanos() + ROUND_TRIP));
    }

    private static boolean isHigher(Call call, FencingToken token, long until) {
        return call.isGranted() && call.granted() < until && call.token().compareTo(token) > 0;
    }
}
