package dev.lockstep.chaos;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts what happened in a run, for its report. */
final class ChaosCounts {
    private ChaosCounts() {}

    static Map<String, String> of(Records records, OverlapRule overlaps) {
        List<HistoryLine> failed = records.all("failed");
        List<HistoryLine> lost = records.all("lost");
        List<HistoryLine> writes = records.all("write");
        List<HistoryLine> unfenced = records.all("unfenced");
        long accepted = writes.stream().filter(WriteRule::isAccepted).count();
        Map<String, String> counts = new LinkedHashMap<>();
        counts.put("processes", Integer.toString(records.processes()));
        counts.put("requests", Integer.toString(records.calls().size()));
        counts.put("granted", Integer.toString(records.granted().size()));
        long epochs = records.granted().stream()
                .mapToLong(call -> call.token().epoch())
                .distinct()
                .count();
        if (epochs > 1) {
            counts.put("epochs with grants", Long.toString(epochs));
        }
        counts.put("busy", Integer.toString(records.all("busy").size()));
        counts.put("failed", failed.size() + " " + ChaosReport.tally(failed, line -> line.text("code")));
        counts.put("lost", lost.size() + " " + ChaosReport.tally(lost, line -> line.text("reason")));
        counts.put("writes", accepted + " accepted by the guard, " + (writes.size() - accepted) + " refused");
        counts.put(
                "unfenced writes",
                unfenced.size() + ", out of order: "
                        + unfenced.stream().filter(WriteRule::isOutOfOrder).count());
        counts.put(
                "overlaps within the promise",
                overlaps.allowed() + ", the longest "
                        + overlaps.longestAllowed().toMillis() + " ms");
        return counts;
    }
}
