package dev.lockstep.core.doctor;

import dev.lockstep.core.doctor.Finding.Severity;
import java.util.List;
import java.util.stream.Collectors;

/**
 * All that the doctor of a store saw when it looked at a server.
 *
 * @param findings what is in order too, in the order in which it was looked at
 */
public record Diagnosis(List<Finding> findings) {
    /** Keeps a copy. */
    public Diagnosis {
        findings = List.copyOf(findings);
    }

    /** Whether locks can be relied on: there are no errors, maybe warnings. */
    public boolean isHealthy() {
        return errors().isEmpty();
    }

    /** What must be changed before the first lock. */
    public List<Finding> errors() {
        return with(Severity.ERROR);
    }

    /** What should be known or changed. */
    public List<Finding> warnings() {
        return with(Severity.WARNING);
    }

    private List<Finding> with(Severity severity) {
        return findings.stream()
                .filter(finding -> finding.severity() == severity)
                .toList();
    }

    /** A line for each finding. */
    @Override
    public String toString() {
        return findings.stream().map(Finding::toString).collect(Collectors.joining("\n"));
    }
}
