package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.LockKind;
import dev.lockstep.core.Locks;
import dev.lockstep.testkit.CrossingWork;
import dev.lockstep.testkit.ExclusionChecker;
import dev.lockstep.testservers.ChildJvm;
import dev.lockstep.testservers.Scale;
import dev.lockstep.testservers.TestServers;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sets of keys that cross each other, taken by the threads of three processes. */
@Tag("slow")
@Tag("once")
class CrossingSetsTest {
    /** So few that different keys often share a row. */
    private static final int BUCKETS = 31;

    private static final int PROCESSES = 3;
    private static final int THREADS = 4;
    private static final Duration TERM = Duration.ofMinutes(5);

    /** For each of three servers: 12,500 together, and 300,000 in the long run. */
    private final int acquisitions = Scale.pick(2_001, 100_002);

    @ParameterizedTest
    @EnumSource
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void crossingSetsOfThreeProcessesNeverDeadlockAndAlwaysExclude(Server server, @TempDir Path directory)
            throws Exception {
        long seed = System.nanoTime();
        int share = acquisitions / PROCESSES;
        try (LockDatabase database = database(server);
                ExclusionChecker checker = ExclusionChecker.in(directory);
                ChildJvm second = Child.on(database, TERM);
                ChildJvm third = Child.on(database, TERM)) {
            second.tell(Child.crossing(directory, THREADS, share, seed + 1_000));
            third.tell(Child.crossing(directory, THREADS, share, seed + 2_000));
            try (Locks locks = Locks.builder(database.store()).defaultTerm(TERM).build()) {
                CrossingWork.on(locks, checker).run(THREADS, share, seed);
            }
            for (ChildJvm child : List.of(second, third)) {
                assertThat(child.answer()).as("seed %d", seed).isEqualTo("crossed");
                assertThat(child.ask("close")).isEqualTo("closed");
            }
            assertThat(checker.verify().sections()).as("seed %d", seed).isGreaterThan(acquisitions);
            await("no lock is left")
                    .untilAsserted(() -> assertThat(database.locks()).isZero());
            await("no connection is left")
                    .untilAsserted(() -> assertThat(database.connections()).isZero());
        }
    }

    private static LockDatabase database(Server server) throws SQLException {
        return LockDatabase.on(
                server,
                TestServers.shared(server.kind()),
                BUCKETS,
                CrossingWork.kinds().toArray(LockKind[]::new));
    }
}
