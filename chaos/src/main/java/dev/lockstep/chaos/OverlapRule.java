package dev.lockstep.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * No two leases that exclude each other are counted on by their holders at the same time, apart from what the store's
 * {@link Promise} allows.
 */
final class OverlapRule {
    /** What a renewal may take, on a connection that is gone, until its lease is reported as lost. */
    private static final Duration RENEWAL = Duration.ofMillis(750);

    private final Records records;
    private final Promise promise;
    private final List<HistoryLine> breaks;
    private final long firstEpoch;
    private final List<Violation> violations = new ArrayList<>();
    private int allowed;
    private long longestAllowed;

    private OverlapRule(Records records, Promise promise) {
        this.records = records;
        this.promise = promise;
        breaks = records.all("break");
        firstEpoch = records.all("epochs").stream()
                .mapToLong(line -> line.number("first"))
                .findFirst()
                .orElse(0);
    }

    static OverlapRule check(Records records, Promise promise) {
        OverlapRule rule = new OverlapRule(records, promise);
        rule.sweep();
        return rule;
    }

    List<Violation> violations() {
        return violations;
    }

    /** How many overlaps were within what the store promises. */
    int allowed() {
        return allowed;
    }

    Duration longestAllowed() {
        return Duration.ofNanos(longestAllowed);
    }

    private void sweep() {
        List<Call> leases = records.granted().stream()
                .filter(Call::wasSeenHeld)
                .sorted(Comparator.comparingLong(Call::granted))
                .toList();
        PriorityQueue<Call> valid = new PriorityQueue<>(Comparator.comparingLong(Call::validUntil));
        for (Call later : leases) {
            while (!valid.isEmpty() && valid.peek().validUntil() <= later.granted()) {
                valid.remove();
            }
            valid.stream().filter(later::conflictsWith).forEach(earlier -> overlap(earlier, later));
            valid.add(later);
        }
    }

    private void overlap(Call earlier, Call later) {
        long nanos = Math.min(earlier.validUntil(), later.validUntil()) - later.granted();
        if (isAllowed(earlier, later)) {
            allowed++;
            longestAllowed = Math.max(longestAllowed, nanos);
        } else {
            violations.add(new Violation(
                    "overlap",
                    "two leases were valid at once for " + nanos / 1_000 + " µs" + earlier.evidence()
                            + later.evidence()));
        }
    }

    private boolean isAllowed(Call one, Call other) {
        boolean sameEpoch = one.token().epoch() == other.token().epoch();
        return (!sameEpoch && !promise.separatesEpochs()) || wasCutOff(one, other) || wasCutOff(other, one);
    }

    /** Whether a lease's connection may have ended before the other one was granted, and its holder learned it in time. */
    private boolean wasCutOff(Call cut, Call other) {
        return breaks.stream()
                .filter(each -> concerns(each, cut))
                .filter(each -> each.nanos() >= cut.invoked() && each.number("from") <= other.granted())
                .anyMatch(each -> !cut.isRenewed() || learnedInTime(cut, each));
    }

    private boolean concerns(HistoryLine each, Call call) {
        String process = each.text("process");
        return ("*".equals(process) || process.equals(call.process()))
                && promise.endsWithConnection(isOnSecondary(call), each.text("server"));
    }

    /** The first epoch is the primary's, and each switch leads to the other side. */
    private boolean isOnSecondary(Call call) {
        return (call.token().epoch() - firstEpoch) % 2 != 0;
    }

    private boolean learnedInTime(Call cut, HistoryLine each) {
        long stalled = records.stalled(cut.process(), each.number("from"), cut.validUntil());
        long limit = Setup.TERM.dividedBy(3).plus(RENEWAL).toNanos() + stalled;
        return cut.validUntil() - each.nanos() <= limit;
    }
}
