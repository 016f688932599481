package dev.lockstep.cli.verify;

import dev.lockstep.cli.verify.OppositeOrder.End;
import dev.lockstep.core.DeadlockReport;
import dev.lockstep.core.DeadlockReport.Participant;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.core.spi.StoreTrait;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The contrast to sets: one lock after the other, in opposite order, with the order guard off. */
final class DeadlockBehaviours {
    private DeadlockBehaviours() {}

    static List<Behaviour> all() {
        return List.of(
                new Behaviour(
                        "H12.2",
                        "the contrast: two take two resources one after the other, in opposite order, without the guard",
                        "a deadlock, which the store finds, or which ends with a timeout where it can't",
                        stage -> judgeEnd(OppositeOrder.of(stage, new Things("H12.2")), stage)),
                new Behaviour(
                        "X6",
                        "the report of a deadlock of two requests",
                        "it names the owners, keys, modes and call sites of both requests",
                        stage -> judgeReport(OppositeOrder.of(stage, new Things("X6")), stage)));
    }

    private static TrialOutcome judgeEnd(OppositeOrder tried, Stage stage) throws Mismatch {
        if (tried.report().isPresent()) {
            return new TrialOutcome.Passed(
                    "found within " + Figures.of(tried.took()) + "; one failed, so that the other could continue");
        }
        tried.requireExclusion();
        return stage.has(StoreTrait.NO_DEADLOCK_REPORT)
                ? new TrialOutcome.Passed("ended with a timeout, as this store says of itself")
                : unfound(stage);
    }

    private static TrialOutcome unfound(Stage stage) {
        return new TrialOutcome.Doubtful(
                "not found within " + Figures.of(OppositeOrder.wait(stage)) + "; it ended with a timeout",
                "Look at innodb_deadlock_detect (MySQL, MariaDB) or deadlock_timeout (PostgreSQL). Sets, and nested"
                        + " requests under the guard, don't deadlock and don't need it.");
    }

    // ---- the report

    private static TrialOutcome judgeReport(OppositeOrder tried, Stage stage) throws Mismatch {
        if (tried.report().isEmpty()) {
            tried.requireExclusion();
            return stage.has(StoreTrait.NO_DEADLOCK_REPORT)
                    ? new TrialOutcome.Inapplicable(
                            "this store can't tell a deadlock from a long wait: it ends with a timeout, without a report.")
                    : unfound(stage);
        }
        DeadlockReport report = tried.report().get();
        List<String> wrong = new ArrayList<>();
        List<String> absent = new ArrayList<>();
        for (End end : tried.ends()) {
            of(end, report)
                    .ifPresentOrElse(
                            found -> wrong.addAll(missing(end, found)),
                            () -> absent.add("the request of '" + end.owner() + "'"));
        }
        if (absent.isEmpty() && report.cycle().size() > tried.ends().size()) {
            wrong.add("only the two");
        }
        return judgeReport(report, wrong, absent, stage);
    }

    private static Optional<Participant> of(End end, DeadlockReport report) {
        return report.cycle().stream()
                .filter(each -> each.owner().equals(end.owner()))
                .findFirst();
    }

    private static List<String> missing(End end, Participant found) {
        List<String> missing = new ArrayList<>();
        if (!found.holds().contains(new PlannedLock(end.first(), LockMode.EXCLUSIVE))) {
            missing.add("what '" + end.owner() + "' holds, with its mode");
        }
        if (!found.waitsFor().equals(new PlannedLock(end.then(), LockMode.EXCLUSIVE))) {
            missing.add("what '" + end.owner() + "' waits for, with its mode");
        }
        if (found.callSite()
                .filter(site -> site.toString().contains(OppositeOrder.class.getSimpleName()))
                .isEmpty()) {
            missing.add("the call site of '" + end.owner() + "'");
        }
        return missing;
    }

    private static TrialOutcome judgeReport(DeadlockReport report, List<String> wrong, List<String> absent, Stage stage)
            throws Mismatch {
        if (wrong.isEmpty() && absent.isEmpty()) {
            return new TrialOutcome.Passed("the report names both requests:\n" + report);
        }
        List<String> unnamed = Stream.concat(wrong.stream(), absent.stream()).toList();
        String seen = "the report doesn't name " + String.join(", ", unnamed) + ":\n" + report;
        if (wrong.isEmpty() && stage.whyOthersAreHidden().isPresent()) {
            return new TrialOutcome.Doubtful(
                    seen, "Locks work without it. " + stage.whyOthersAreHidden().get());
        }
        throw Mismatch.of(seen, "The deadlock ends, but its report doesn't lead to the code that causes it.");
    }
}
