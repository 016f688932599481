package dev.lockstep.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.doctor.Diagnosis;
import dev.lockstep.core.doctor.Finding.Severity;
import java.util.List;

/** What a test expects of a store's doctor. */
public final class Diagnoses {
    private Diagnoses() {}

    /** There is such a finding, with all these words. */
    public static void assertFound(Diagnosis diagnosis, Severity severity, String... words) {
        assertThat(diagnosis.findings())
                .as("%s", diagnosis)
                .anyMatch(finding -> finding.severity() == severity
                        && List.of(words).stream().allMatch(finding.toString()::contains));
    }

    /** There is such an error, with all these words, and no other. */
    public static void assertOnlyError(Diagnosis diagnosis, String... words) {
        assertFound(diagnosis, Severity.ERROR, words);
        assertThat(diagnosis.errors()).as("%s", diagnosis).hasSize(1);
        assertThat(diagnosis.isHealthy()).isFalse();
    }
}
