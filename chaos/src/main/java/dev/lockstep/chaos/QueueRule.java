package dev.lockstep.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * While nothing is broken, no request waits for locks that are free, and of two requests for one key the earlier one is served first. For stores that
 * lock exactly the keys and serve requests in their order.
 */
final class QueueRule {
    /** From the grant in the store to the line in the history, and from the line of a request to its place in the queue. */
    private static final long ROUND_TRIP = Duration.ofMillis(250).toNanos();

    /** A waiting request asks again after a second at the latest. */
    private static final long LONGEST_FREE = Duration.ofMillis(1_500).toNanos();

    /** Until a lost lease has expired in the store, too. */
    private static final long LOST_STAYS = Setup.TERM.multipliedBy(2).toNanos();

    private final Calm calm;
    private final List<Call> calls;
    private final List<Violation> violations = new ArrayList<>();

    /** When a call may have held something. */
    private record Span(long from, long to) {}

    private QueueRule(Records records) {
        calm = new Calm(records);
        calls = records.calls();
    }

    static List<Violation> check(Records records, Promise promise) {
        if (!promise.servesInOrder()) {
            return List.of();
        }
        QueueRule rule = new QueueRule(records);
        for (Call call : rule.calls) {
            rule.waitedForNothing(call);
            rule.wasOvertaken(call);
        }
        return rule.violations;
    }

    private void waitedForNothing(Call call) {
        Optional<HistoryLine> answer = call.answer().filter(line -> line.is("busy") || line.is("grant"));
        if (answer.isEmpty() || answer.get().nanos() - call.invoked() < LONGEST_FREE) {
            return;
        }
        long end = answer.get().nanos();
        if (calm.covers(call.invoked(), end) && longestFree(call, end) > LONGEST_FREE) {
            violations.add(new Violation("wakeup", "a request waited for locks that were free" + call.evidence()));
        }
    }

    /** How long, at a stretch, no other call can have held what this one waited for. */
    private long longestFree(Call call, long end) {
        List<Span> held = calls.stream()
                .filter(other -> isInTheWay(other, call))
                .flatMap(other -> spanOf(other).stream())
                .sorted(Comparator.comparingLong(Span::from))
                .toList();
        long free = 0;
        long since = call.invoked();
        for (Span span : held) {
            free = Math.max(free, Math.min(span.from(), end) - since);
            since = Math.max(since, span.to());
        }
        return Math.max(free, end - since);
    }

    /** By the paths alone: what is shared, and intents, count as well. */
    private static boolean isInTheWay(Call other, Call call) {
        return !other.holder().equals(call.holder())
                && other.stakes().stream()
                        .anyMatch(theirs -> call.stakes().stream().anyMatch(theirs::isRelatedTo));
    }

    private static Optional<Span> spanOf(Call call) {
        if (!call.isGranted()) {
            long end = call.answer().map(HistoryLine::nanos).orElse(Long.MAX_VALUE);
            return isForOneRoot(call) ? Optional.empty() : Optional.of(new Span(call.invoked(), end));
        }
        long from = isForOneRoot(call) ? call.granted() - ROUND_TRIP : call.invoked();
        long end = call.released().map(HistoryLine::nanos).orElse(Long.MAX_VALUE);
        return Optional.of(new Span(from, call.lost().isPresent() ? end + LOST_STAYS : end));
    }

    /** Such a request holds nothing while it waits. */
    private static boolean isForOneRoot(Call call) {
        return call.stakes().size() == 1 && !call.stakes().get(0).path().contains("/");
    }

    private void wasOvertaken(Call call) {
        if (!isForOneRoot(call)
                || !call.stakes().get(0).exclusive()
                || call.answer().isEmpty()
                || !calm.covers(call.invoked(), call.invoked())) {
            return;
        }
        long end = call.answer().get().nanos();
        for (Call other : calls) {
            if (other.stakes().equals(call.stakes())
                    && other.isGranted()
                    && other.invoked() > call.invoked() + ROUND_TRIP
                    && other.granted() + ROUND_TRIP < end
                    && !other.holder().equals(call.holder())
                    && !isNested(other)
                    && calm.covers(call.invoked(), other.granted())) {
                violations.add(new Violation(
                        "order", "a later request was served first" + call.evidence() + other.evidence()));
            }
        }
    }

    /** What its outer lease covers isn't waited for. */
    private boolean isNested(Call call) {
        return calls.stream().anyMatch(other -> other != call && other.holder().equals(call.holder()));
    }
}
