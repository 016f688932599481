package dev.lockstep.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** While nothing is broken no request fails, and no lease is lost that its store renews. */
final class CalmRule {
    /** A lease with its own term expires, and takes those inside with it. */
    private static final Set<String> NEEDLESS = Set.of("UNCONFIRMED", "REFUSED");

    private CalmRule() {}

    static List<Violation> check(Records records) {
        Calm calm = new Calm(records);
        List<Violation> violations = new ArrayList<>();
        for (Call call : records.calls()) {
            call.answer()
                    .filter(answer -> answer.is("failed") && calm.covers(call.invoked(), answer.nanos()))
                    .ifPresent(answer -> violations.add(
                            new Violation("failure", "a request failed while nothing was broken" + call.evidence())));
            call.lost()
                    .filter(lost -> call.isGranted() && call.isRenewed())
                    .filter(lost -> NEEDLESS.contains(lost.text("reason")))
                    .filter(lost -> calm.covers(call.invoked(), lost.nanos()))
                    .ifPresent(lost -> violations.add(
                            new Violation("loss", "a lease was lost while nothing was broken" + call.evidence())));
        }
        return violations;
    }
}
