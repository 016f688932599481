package dev.lockstep.projectlock;

import static dev.lockstep.projectlock.Way.LEASE_FILE;
import static dev.lockstep.projectlock.Way.LINKS;
import static dev.lockstep.projectlock.Way.OS_LOCK;
import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.projectlock.PlatformLocks.PlatformLock;
import dev.lockstep.projectlock.Racers.Winner;
import dev.lockstep.testservers.Scale;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Six processes see the same expired lease, and each would take it. */
@Tag("slow")
@Tag("once")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class ExpiredLeaseRaceTest {
    static final List<Way> MIXED = List.of(OS_LOCK, OS_LOCK, OS_LOCK, LEASE_FILE, LEASE_FILE, LEASE_FILE);

    private static final int ROUNDS = Scale.pick(10, 300);
    private static final Duration TERM = Duration.ofMinutes(1);

    @RegisterExtension
    static final Racers RACERS = new Racers();

    @TempDir
    private Path project;

    @Test
    void oneOfSixWinsByOsLock() throws Exception {
        race(nCopies(Racers.COUNT, OS_LOCK));
    }

    @Test
    void oneOfSixWinsByLeaseFile() throws Exception {
        race(nCopies(Racers.COUNT, LEASE_FILE));
    }

    @Test
    void oneOfSixWinsWhereThreeHaveOsLocksAndThreeDoNot() throws Exception {
        race(MIXED);
    }

    @Test
    void oneOfSixWinsByHardLinks() throws Exception {
        race(nCopies(Racers.COUNT, LINKS));
    }

    private void race(List<Way> ways) throws Exception {
        OutlivedLease outlived = new OutlivedLease(ways.get(0), project);
        RACERS.open(ways, project, TERM);
        List<Long> tokens = new ArrayList<>();
        List<Integer> winnersByRound = new ArrayList<>();
        for (int round = 1; round <= ROUNDS; round++) {
            boolean locked = ways.contains(OS_LOCK) && round % 2 == 0;
            PlatformLock old = locked ? outlived.leaveLocked() : outlived.leave();
            List<Winner> winners = RACERS.race().winners();
            winnersByRound.add(winners.size());
            for (Winner winner : winners) {
                tokens.add(winner.token());
                winner.release();
            }
            old.release();
        }
        assertThat(winnersByRound).as("winners of each round").hasSize(ROUNDS).containsOnly(1);
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
    }
}
