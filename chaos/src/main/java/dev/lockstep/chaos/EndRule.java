package dev.lockstep.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Everything ends: each request with an answer in time, each lease with a release or a reported loss, and when all is healed every
 * thread is granted something again.
 */
final class EndRule {
    /** On a machine that stands still for a minute nothing is proved. */
    private static final Duration GRACE = Duration.ofSeconds(60);

    private static final Set<String> EXPECTED = Set.of("store-unavailable", "lease-lost");

    private final Records records;
    private final Set<String> survivors;
    private final List<Violation> violations = new ArrayList<>();

    private EndRule(Records records) {
        this.records = records;
        survivors = new HashSet<>(records.survivors());
    }

    static List<Violation> check(Records records) {
        EndRule rule = new EndRule(records);
        records.calls().forEach(rule::answered);
        records.granted().forEach(rule::ended);
        rule.servedAgain();
        for (String verb : List.of("broken", "stuck", "unswept")) {
            records.all(verb).forEach(line -> rule.violated(verb, line.toString()));
        }
        return rule.violations;
    }

    private void violated(String rule, String text) {
        violations.add(new Violation(rule, text));
    }

    private void answered(Call call) {
        if (call.answer().isEmpty()) {
            if (survivors.contains(call.process())) {
                violated("wait", "a request was never answered" + call.evidence());
            }
            return;
        }
        HistoryLine answer = call.answer().get();
        long late = answer.nanos() - call.invoked() - call.waitNanos();
        if (late > GRACE.toNanos() + records.stalled(call.process(), call.invoked(), answer.nanos())) {
            violated("wait", "a request was answered " + late / 1_000_000 + " ms too late" + call.evidence());
        }
        if (answer.is("failed") && !EXPECTED.contains(answer.text("code"))) {
            violated("error", "a request failed as none should" + call.evidence());
        }
    }

    private void ended(Call call) {
        if (call.released().isEmpty() && survivors.contains(call.process())) {
            violated("end", "a lease never ended" + call.evidence());
        }
        call.lost()
                .map(line -> line.text("reason"))
                .filter(reason -> "UNTOLD".equals(reason) || "REVIVED".equals(reason))
                .ifPresent(reason -> violated(
                        "loss",
                        "a lease had ended, and its loss was not reported; it is " + reason.toLowerCase(Locale.ROOT)
                                + call.evidence()));
    }

    private void servedAgain() {
        List<HistoryLine> healed = records.all("healed");
        if (healed.isEmpty()) {
            violated("liveness", "the run was not healed");
            return;
        }
        for (String waiting : unservedSince(records, healed.get(0).nanos())) {
            violated("liveness", waiting + " was granted nothing after all was healed");
        }
    }

    /** The threads of survivors that were granted nothing which they asked for after this moment. */
    static Set<String> unservedSince(Records records, long nanos) {
        Set<String> unserved = new TreeSet<>();
        for (String process : records.survivors()) {
            records.of(process, "begin").forEach(line -> unserved.add(process + "/" + line.text("thread")));
        }
        records.granted().stream()
                .filter(call -> call.invoked() >= nanos)
                .forEach(call -> unserved.remove(call.thread()));
        return unserved;
    }
}
