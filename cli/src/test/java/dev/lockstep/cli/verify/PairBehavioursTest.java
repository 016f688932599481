package dev.lockstep.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.cli.store.Scratch;
import dev.lockstep.cli.store.SwitchingPair;
import dev.lockstep.core.fallback.FallbackStore;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreAround;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import dev.lockstep.core.spi.StoreTrait;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The trial of a pair tells a good one from those that must not be. */
@Tag("once")
@Timeout(180)
class PairBehavioursTest {
    private final MemoryStore primary = MemoryStore.create();
    private final MemoryStore secondary = MemoryStore.create();
    private final AtomicInteger parties = new AtomicInteger();

    @AfterEach
    void close() {
        primary.close();
        secondary.close();
    }

    @Test
    void aPairThatSwitchesAsItShouldPasses() throws InterruptedException {
        Report report = Trials.run(
                scratch((line, term) -> FallbackStore.of(line.apply(kept(primary)), kept(secondary))
                        .named("switching")
                        .longestTerm(term)
                        .epochTerm(term)
                        .unavailableAfter(term.dividedBy(2))
                        .returnAfter(term)),
                Trials.BRIEF,
                BehaviourTable.onlyOfPair(List.of("X4")));

        assertThat(report.results())
                .hasSize(3)
                .allSatisfy(result -> assertThat(result.outcome()).isInstanceOf(Outcome.Passed.class));
    }

    @Test
    void oneThatFallsBackForItselfIsCaughtWithTwoHolders() throws InterruptedException {
        Outcome.Failed failed =
                tried("X4.3", (line, term) -> new NaivePair(line.apply(kept(primary)), kept(secondary)));

        assertThat(failed.seen()).contains("while another could still count on its lease");
        assertThat(failed.meaning()).contains("Two hold at once");
    }

    @Test
    void oneThatNeverSwitchesIsCaught() throws InterruptedException {
        Outcome.Failed failed = tried(
                "X4.3",
                (line, term) -> FallbackStore.of(line.apply(kept(primary)), kept(secondary))
                        .named("switching")
                        .longestTerm(term)
                        .epochTerm(term)
                        .unavailableAfter(Duration.ofHours(1)));

        assertThat(failed.seen()).contains("could not be had within");
        assertThat(failed.meaning()).contains("doesn't switch");
    }

    @Test
    void oneThatSwitchesForALockThatIsTakenIsCaught() throws InterruptedException {
        Outcome.Failed failed = tried(
                "X4.2",
                (line, term) -> FallbackStore.of(
                                parties.incrementAndGet() == 1 ? kept(primary) : awayAtContention(), kept(secondary))
                        .named("switching")
                        .longestTerm(term)
                        .epochTerm(term)
                        .unavailableAfter(term.dividedBy(3)));

        assertThat(failed.meaning()).contains("A lock that is taken makes the pair switch");
    }

    private Outcome.Failed tried(String id, SwitchingPair pair) throws InterruptedException {
        Pace pace = new Pace(
                Duration.ofMillis(200),
                4,
                Duration.ofMillis(500),
                Duration.ofSeconds(4),
                Duration.ofSeconds(30),
                Duration.ofMinutes(2));
        Report report = Trials.run(scratch(pair), pace, BehaviourTable.onlyOfPair(List.of(id)));
        return (Outcome.Failed) report.results().get(0).outcome();
    }

    /** Says that it is away as soon as somebody had to wait. */
    private LockStore awayAtContention() {
        Line line = new Line();
        return line.to(new Kept(primary) {
            @Override
            public StoreAnswer acquire(StoreRequest request) throws InterruptedException {
                line.cut();
                return super.acquire(request);
            }
        });
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
                return FallbackStore.of(kept(primary), kept(secondary));
            }

            @Override
            public Optional<SwitchingPair> pair() {
                return Optional.of(pair);
            }

            @Override
            public void close() {}
        };
    }

    private static LockStore kept(LockStore store) {
        return new Kept(store);
    }

    /** Stays open when one of several parties closes it. */
    private static class Kept extends StoreAround {
        private final LockStore store;

        Kept(LockStore store) {
            super(store);
            this.store = store;
        }

        @Override
        public StoreAnswer acquire(StoreRequest request) throws InterruptedException {
            return store.acquire(request);
        }

        @Override
        public List<StoreGrant> renew(List<Renewal> renewals) {
            return store.renew(renewals);
        }

        @Override
        public boolean release(StoreGrant grant) {
            return store.release(grant);
        }

        @Override
        public void close() {}
    }
}
