package dev.lockstep.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.cli.store.Scratch;
import dev.lockstep.cli.store.SwitchingPair;
import dev.lockstep.core.fallback.FallbackStore;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.StoreTrait;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The trial of a pair tells a good one from those that must not be. */
@Tag("once")
@Execution(ExecutionMode.CONCURRENT)
@Timeout(600)
class PairBehavioursTest {
    /** With terms that are longer than this machine stands still: what is granted too early is granted before two of them. */
    private static final Pace LONG_TERM = pace(Duration.ofSeconds(40), Duration.ofMinutes(2));

    /** For a request that waits for all the patience. */
    private static final Pace NEVER_SERVED = pace(Duration.ofSeconds(1), Duration.ofSeconds(40));

    private static Pace pace(Duration term, Duration patience) {
        return new Pace(Duration.ofMillis(200), 4, term, patience, Duration.ofMinutes(5), Duration.ofMinutes(9));
    }

    private final MemoryStore primary = MemoryStore.create();
    private final MemoryStore secondary = MemoryStore.create();

    @AfterEach
    void close() {
        primary.close();
        secondary.close();
    }

    @Test
    void aPairThatSwitchesAsItShouldPasses() throws InterruptedException {
        Report report = Trials.run(
                scratch((line, term) -> pair(line, term)
                        .epochTerm(term)
                        .unavailableAfter(term.dividedBy(2))
                        .returnAfter(term)),
                Trials.BRIEF,
                BehaviourTable.onlyOfPair(List.of("X4")));

        assertThat(report.results())
                .hasSize(3)
                .allSatisfy(result -> assertThat(result.outcome()).isInstanceOf(TrialOutcome.Passed.class));
    }

    @Test
    void oneThatFallsBackForItselfIsCaughtWithTwoHolders() throws InterruptedException {
        TrialOutcome.Failed failed = tried(
                "X4.3",
                LONG_TERM,
                (line, term) -> new NaivePair(line.apply(named("one", primary)), named("other", secondary)));

        assertThat(failed.seen()).contains("while another could still count on its lease");
        assertThat(failed.meaning()).contains("Two hold at once");
    }

    @Test
    void oneThatNeverSwitchesIsCaught() throws InterruptedException {
        TrialOutcome.Failed failed = tried(
                "X4.3",
                NEVER_SERVED,
                (line, term) -> pair(line, term).epochTerm(term).unavailableAfter(Duration.ofHours(1)));

        assertThat(failed.seen()).contains("could not be acquired within");
        assertThat(failed.meaning()).contains("doesn't switch");
    }

    @Test
    void oneThatDoesNotWaitForTheLeasesOfBeforeIsCaught() throws InterruptedException {
        TrialOutcome.Failed failed = tried(
                "X4.3",
                LONG_TERM,
                (line, term) -> pair(line, term).epochTerm(term.dividedBy(20)).unavailableAfter(term.dividedBy(20)));

        assertThat(failed.seen()).contains("the other store granted after");
    }

    @Test
    void oneThatSwitchesForALockThatIsTakenIsCaught() throws InterruptedException {
        TrialOutcome.Failed failed = tried(
                "X4.2",
                Trials.BRIEF,
                (line, term) -> new NaivePair(line.apply(named("one", primary)), named("other", secondary)));

        assertThat(failed.meaning()).contains("A lock that is taken makes the pair switch");
    }

    /** Not all it needs: what makes it a good or a bad one is the test's. */
    private FallbackStore pair(UnaryOperator<LockStore> line, Duration term) {
        return FallbackStore.of(line.apply(named("one", primary)), named("other", secondary))
                .named("switching")
                .longestTerm(term);
    }

    private TrialOutcome.Failed tried(String id, Pace pace, SwitchingPair pair) throws InterruptedException {
        Report report = Trials.run(scratch(pair), pace, BehaviourTable.onlyOfPair(List.of(id)));
        return (TrialOutcome.Failed) report.results().get(0).outcome();
    }

    private Scratch scratch(SwitchingPair pair) {
        return new Scratch() {
            @Override
            public String where() {
                return "a test";
            }

            @Override
            public Set<StoreTrait> traits() {
                return Set.of();
            }

            @Override
            public LockStore store() {
                return FallbackStore.of(named("one", primary), named("other", secondary));
            }

            @Override
            public Optional<SwitchingPair> pair() {
                return Optional.of(pair);
            }

            @Override
            public void close() {}
        };
    }

    private static LockStore named(String name, LockStore store) {
        return new Kept(name, store);
    }

    /** Stays open when one of several parties closes it. */
    private static final class Kept extends PassingStore {
        private final String name;

        Kept(String name, LockStore store) {
            super(store);
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public void close() {}
    }
}
