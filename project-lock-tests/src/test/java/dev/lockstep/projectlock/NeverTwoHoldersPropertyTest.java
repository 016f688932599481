package dev.lockstep.projectlock;

import static dev.lockstep.projectlock.ProjectOnDisk.ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.lifecycle.BeforeTry;
import org.jspecify.annotations.Nullable;

/** Random moves of both clocks and of three holders with different terms, and faults of the disk and the platform. */
@Tag("slow")
@Label("by their own clocks, two never hold a project at the same time")
class NeverTwoHoldersPropertyTest {
    private Machine machine = new Machine();
    private SteppedClock clock = new SteppedClock(machine.clock);
    private FailingFiles files = new FailingFiles(machine.file);
    private LogProbe quiet = new LogProbe();
    private List<Holder> holders = List.of();
    private long lastToken;

    private enum Move {
        ACQUIRE,
        RENEW,
        RELEASE,
        TIME_PASSES,
        WALL_CLOCK_FORWARD,
        WALL_CLOCK_BACK,
        SUSPEND,
        NO_PLATFORM,
        WRITE_FAILS,
        DELETE_FAILS
    }

    record Step(Move move, int who, int seconds, int millis) {
        Duration time() {
            return Duration.ofSeconds(seconds).plusMillis(millis);
        }
    }

    private static final class Holder {
        final ProjectLock lock;

        @Nullable
        ProjectLease lease;

        Holder(ProjectLock lock) {
            this.lock = lock;
        }

        boolean holds() {
            return lease != null && lock.isHeld(lease);
        }
    }

    @BeforeTry
    void open() {
        machine = new Machine();
        clock = new SteppedClock(
                machine.clock); // else the watches end leases beside the test, and hide what it is after
        files = new FailingFiles(machine.file);
        quiet = new LogProbe();
        lastToken = 0;
        holders = new ArrayList<>();
        for (int seconds : new int[] {5, 15, 40}) {
            holders.add(new Holder(machine.keep(
                    machine.builder().clock(clock).leaseFiles(files).term(Duration.ofSeconds(seconds)))));
        }
    }

    @AfterTry
    void close() {
        machine.close();
        clock.close();
        quiet.close();
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        Arbitrary<Move> moves = Arbitraries.frequency(
                Tuple.of(6, Move.ACQUIRE),
                Tuple.of(4, Move.RENEW),
                Tuple.of(1, Move.RELEASE),
                Tuple.of(4, Move.TIME_PASSES),
                Tuple.of(1, Move.WALL_CLOCK_FORWARD),
                Tuple.of(2, Move.WALL_CLOCK_BACK),
                Tuple.of(1, Move.SUSPEND),
                Tuple.of(1, Move.NO_PLATFORM),
                Tuple.of(2, Move.WRITE_FAILS),
                Tuple.of(1, Move.DELETE_FAILS));
        return Combinators.combine(
                        moves,
                        Arbitraries.integers().between(0, 2),
                        Arbitraries.frequency(
                                Tuple.of(2, 1), Tuple.of(4, 5), Tuple.of(4, 10), Tuple.of(1, 40), Tuple.of(1, 3_600)),
                        Arbitraries.frequency(Tuple.of(8, 0), Tuple.of(1, 1), Tuple.of(1, 999)))
                .as(Step::new)
                .list()
                .ofMinSize(5)
                .ofMaxSize(60);
    }

    @Property(edgeCases = EdgeCasesMode.NONE, tries = 1000)
    @Label("whatever the clocks, the disk and the platform do")
    void atMostOne(@ForAll("steps") List<Step> steps) {
        for (Step step : steps) {
            Holder who = holders.get(step.who());
            try {
                move(step, who);
            } catch (ProjectLockException e) {
                assertThat(e.failure()).as("a refusal, no bug").isNotEqualTo(ProjectLockFailure.FALLBACK_OPEN_FAILED);
            }
            assertThat(holders.stream().filter(Holder::holds).count())
                    .as("holders after " + step)
                    .isLessThanOrEqualTo(1);
        }
    }

    private void move(Step step, Holder who) {
        switch (step.move()) {
            case ACQUIRE -> {
                ProjectLease lease = who.lock.acquire(ONCE).lease();
                assertThat(lease.token().value()).isGreaterThan(lastToken);
                lastToken = lease.token().value();
                who.lease = lease;
            }
            case RENEW -> {
                if (who.lease != null) {
                    who.lease =
                            step.seconds() == 5 ? who.lock.renew(who.lease) : who.lock.renew(who.lease, step.time());
                }
            }
            case RELEASE -> {
                if (who.lease != null) {
                    who.lock.release(who.lease);
                }
            }
            case TIME_PASSES -> machine.clock.advance(step.time());
            case WALL_CLOCK_FORWARD -> machine.clock.jumpWallClock(step.time());
            case WALL_CLOCK_BACK -> machine.clock.jumpWallClock(step.time().negated());
            case SUSPEND -> machine.clock.suspend(step.time());
            case NO_PLATFORM -> machine.platform.thenUnavailable();
            case WRITE_FAILS -> files.failWrite(1 + step.seconds() % 2);
            case DELETE_FAILS -> machine.file.failNextDelete(new IOException("Input/output error"));
        }
    }
}
