package dev.lockstep.core;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * A cycle of waits: each participant waits for the next, and the last for the first.
 *
 * @param victim the lease id of the request that was failed to end it: the youngest, or the one that a database chose
 */
public record DeadlockReport(List<Participant> cycle, UUID victim) {
    /** Keeps a copy. */
    public DeadlockReport {
        cycle = List.copyOf(cycle);
    }

    /**
     * One request in the cycle.
     *
     * @param holds the locks of its holder that the request before it waits for; empty when it only stands ahead in a queue
     */
    public record Participant(
            String owner,
            UUID leaseId,
            List<PlannedLock> holds,
            PlannedLock waitsFor,
            Instant since,
            Optional<CallSite> callSite) {
        @Override
        public String toString() {
            return "'" + owner + "' (lease " + leaseId + ") holds " + holds + " and waits for " + waitsFor + " since "
                    + since + " at " + callSite.map(CallSite::toString).orElse("a place that was not recorded");
        }
    }

    /** The cycle, a line for each participant. */
    @Override
    public String toString() {
        return cycle.stream()
                .map(each -> "  " + each + (each.leaseId().equals(victim) ? " [failed to end the deadlock]" : ""))
                .collect(Collectors.joining("\n"));
    }
}
