package dev.lockstep.spring.autoconfigure;

import dev.lockstep.core.LockException;
import dev.lockstep.core.doctor.Diagnosis;
import dev.lockstep.core.doctor.Finding;
import dev.lockstep.core.doctor.Finding.Severity;
import dev.lockstep.core.fallback.FallbackState;
import dev.lockstep.core.fallback.FallbackStore;
import dev.lockstep.spring.StoreDoctor;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks at both stores of a pair. What is wrong with the one that is not in use is a warning: locks can be relied on, until they would
 * have to move there. One that is known to be unreachable is not asked, which would take as long as it hangs.
 */
record PairDoctor(FallbackStore pair, StoreDoctor primary, StoreDoctor secondary) implements StoreDoctor {
    @Override
    public Diagnosis examine() {
        FallbackState state;
        try {
            state = pair.state();
        } catch (LockException e) {
            return new Diagnosis(List.of(Finding.error("The pair grants nothing.", Finding.reason(e))));
        }
        List<Finding> findings = new ArrayList<>();
        findings.addAll(look(state.primary(), "", primary, state.primaryReachable(), !state.onSecondary()));
        findings.addAll(
                look(state.secondary(), ", the fallback", secondary, state.secondaryReachable(), state.onSecondary()));
        return new Diagnosis(findings);
    }

    private static List<Finding> look(
            String store, String role, StoreDoctor doctor, boolean isReachable, boolean isInUse) {
        List<Finding> seen = isReachable
                ? doctor.examine().findings()
                : List.of(Finding.error(
                        "It can't be reached.", "See whether it runs, and whether the network leads there."));
        return seen.stream()
                .map(each -> new Finding(
                        isInUse ? each.severity() : milder(each.severity()),
                        store + role + ": " + each.what(),
                        each.whatToDo()))
                .toList();
    }

    private static Severity milder(Severity severity) {
        return severity == Severity.ERROR ? Severity.WARNING : severity;
    }
}
