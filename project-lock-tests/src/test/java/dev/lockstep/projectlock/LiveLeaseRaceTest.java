package dev.lockstep.projectlock;

import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.testservers.Scale;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Six processes want a project whose holder lives. */
@Tag("slow")
@Tag("once")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class LiveLeaseRaceTest {
    private static final int ROUNDS = Scale.pick(10, 300);
    private static final int HAND_OVERS = Scale.pick(8, 200);

    private static final Duration TERM = Duration.ofMinutes(1);
    private static final Duration BETWEEN_RENEWALS = Duration.ofSeconds(30);

    @RegisterExtension
    static final Racers RACERS = new Racers();

    @TempDir
    private Path project;

    @Test
    void noOtherWinsWhileItIsRenewedByOsLock() throws Exception {
        raceAgainst(Way.OS_LOCK, ExpiredLeaseRaceTest.MIXED);
    }

    @Test
    void noOtherWinsWhileItIsRenewedByLeaseFile() throws Exception {
        raceAgainst(Way.LEASE_FILE, ExpiredLeaseRaceTest.MIXED);
    }

    @Test
    void noOtherWinsWhileItIsRenewedByHardLinks() throws Exception {
        raceAgainst(Way.LINKS, nCopies(Racers.COUNT, Way.LINKS));
    }

    /** Half a term passes on all clocks between renewals, so without them the lease would soon be over. */
    private void raceAgainst(Way holders, List<Way> ways) throws IOException {
        ShiftedClock clock = new ShiftedClock();
        RACERS.open(ways, project, TERM);
        try (ProjectLock holder = holders.at(project).term(TERM).clock(clock).open()) {
            ProjectLease lease = holder.acquire().lease();
            for (int round = 1; round <= ROUNDS; round++) {
                Racers.Race race = RACERS.race();
                lease = holder.renew(lease);
                assertThat(race.winners()).as("winners of round %d", round).isEmpty();
                clock.advance(BETWEEN_RENEWALS);
                RACERS.ask("advance " + BETWEEN_RENEWALS.toMillis());
            }
            assertThat(holder.isHeld(lease)).isTrue();
            holder.release(lease);
        } finally {
            RACERS.ask("advance -" + BETWEEN_RENEWALS.toMillis() * ROUNDS);
        }
    }

    @Test
    void handOversByOsLockAndLeaseFileLoseNothing(@TempDir Path counts) throws Exception {
        handOver(ExpiredLeaseRaceTest.MIXED, counts);
    }

    @Test
    void handOversByHardLinksLoseNothing(@TempDir Path counts) throws Exception {
        handOver(nCopies(Racers.COUNT, Way.LINKS), counts);
    }

    private void handOver(List<Way> ways, Path counts) throws IOException {
        RACERS.open(ways, project, TERM);
        RACERS.ask("go-on");
        try (CountedWork work = CountedWork.in(counts)) {
            assertThat(RACERS.ask("count " + HAND_OVERS + " " + counts)).containsOnly("counted");
            assertThat(work.counted()).isEqualTo((long) HAND_OVERS * Racers.COUNT);
            work.verify();
        }
    }
}
