package dev.lockstep.chaos;

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

/** Every fault on each store, many times. */
@Tag("slow")
@Tag("once")
@Tag("long")
@Execution(ExecutionMode.CONCURRENT)
class LongChaosTest {
    private static final Duration TIME = Duration.ofMinutes(3);

    @ParameterizedTest
    @EnumSource
    @Timeout(1_800)
    void nothingIsWrong(Setup setup, @TempDir Path directory) throws SQLException {
        ShortChaosTest.verify(setup, ChaosRun.PROCESSES, TIME, directory);
    }
}
