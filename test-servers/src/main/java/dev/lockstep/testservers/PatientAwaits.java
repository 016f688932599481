package dev.lockstep.testservers;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;

/**
 * Lets every {@code await()} without its own limit last a minute. Awaitility's ten seconds are less than a machine may stand still, and a limit
 * that is only reached on failure costs nothing.
 */
public final class PatientAwaits implements TestExecutionListener {
    /** For JUnit, which finds it through its services file. */
    public PatientAwaits() {}

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        Awaitility.setDefaultTimeout(Duration.ofMinutes(1));
    }
}
