package dev.lockstep.chaos;

import dev.lockstep.core.FencingToken;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the guard let through for one thing never goes back to a lower token. */
final class WriteRule {
    private WriteRule() {}

    static List<Violation> check(Records records) {
        List<HistoryLine> accepted = records.all("write").stream()
                .filter(WriteRule::isAccepted)
                .sorted(Comparator.comparingLong(line -> line.number("number")))
                .toList();
        List<Violation> violations = new ArrayList<>();
        Map<String, HistoryLine> last = new HashMap<>();
        for (HistoryLine write : accepted) {
            HistoryLine before = last.put(write.text("thing"), write);
            if (before != null && token(write).compareTo(token(before)) < 0) {
                violations.add(
                        new Violation("write", "the guard accepted a lower token\n    " + before + "\n    " + write));
            }
        }
        return violations;
    }

    static boolean isAccepted(HistoryLine write) {
        return !"refused".equals(write.text("number"));
    }

    /** Whether a write that no guard looked at came after one with a higher token. */
    static boolean isOutOfOrder(HistoryLine unfenced) {
        return token(unfenced).compareTo(TokenText.parse(unfenced.text("before"))) < 0;
    }

    private static FencingToken token(HistoryLine write) {
        return TokenText.parse(write.text("token"));
    }
}
