package dev.lockstep.coretests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.lockstep.core.Scale;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs the whole contract many times in a row, because a race that shows up once in a hundred runs is a bug. */
@Tag("slow")
class ContractRepetitionTest {
    private static final int RUNS = Scale.pick(10, 20, 500);

    @Test
    void theContractPassesEveryTime() {
        Launcher launcher = LauncherFactory.create();
        LauncherDiscoveryRequest contract = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(MemoryContractTest.class))
                .build();
        for (int run = 1; run <= RUNS; run++) {
            SummaryGeneratingListener listener = new SummaryGeneratingListener();
            launcher.execute(contract, listener);
            TestExecutionSummary summary = listener.getSummary();
            assertThat(summary.getTestsSucceededCount()).as("tests that ran").isGreaterThan(50);
            assertThat(summary.getFailures())
                    .as("run %d of %d: %s", run, RUNS, failures(summary))
                    .isEmpty();
        }
    }

    private static String failures(TestExecutionSummary summary) {
        StringWriter text = new StringWriter();
        summary.printFailuresTo(new PrintWriter(text), 20);
        return text.toString();
    }
}
