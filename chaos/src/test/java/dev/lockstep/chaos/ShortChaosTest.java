package dev.lockstep.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A few faults on each store; {@code ./lockstep chaos} has more of them. */
@Tag("slow")
@Tag("once")
@Execution(ExecutionMode.CONCURRENT)
class ShortChaosTest {
    private static final Duration TIME = Duration.ofSeconds(5);
    private static final int PROCESSES = 2; // their start is most of the work

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"FALLBACK_MYSQL_STOP", "FALLBACK_POSTGRESQL_KEEP_FENCED"})
    @Timeout(600)
    void nothingIsWrong(Setup setup, @TempDir Path directory) throws SQLException {
        verify(setup, PROCESSES, TIME, directory);
    }

    static void verify(Setup setup, int processes, Duration time, Path directory) throws SQLException {
        long seed = System.nanoTime() % 1_000_000;
        StringBuilder faults = new StringBuilder();
        ChaosReport report = new ChaosRun(
                        setup,
                        processes,
                        time,
                        seed,
                        directory,
                        text -> faults.append("\n  ").append(text))
                .run();
        System.out.println("Chaos on " + setup.title() + ", seed " + seed + ":\n" + report);
        assertThat(report.violations()).as("seed %d: %s", seed, faults).isEmpty();
    }
}
