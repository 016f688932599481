package dev.lockstep.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.cli.store.RestartableStore;
import dev.lockstep.cli.store.Scratch;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreRequest;
import dev.lockstep.core.spi.StoreTrait;
import dev.lockstep.testkit.Breach;
import dev.lockstep.testkit.FaultyStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The trial of a restart tells a store that waits for the leases it forgot from those that don't. */
@Tag("once")
@Timeout(600)
class RestartBehavioursTest {
    /** Longer than this machine stands still. */
    private static final Pace LONG_TERM = new Pace(
            Duration.ofMillis(200),
            4,
            Duration.ofMinutes(2),
            Duration.ofSeconds(60),
            Duration.ofSeconds(150),
            Duration.ofMinutes(9));

    private final FaultyStore store = FaultyStore.around(MemoryStore.create());

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void aStoreThatWaitsForTheLongestLeasePasses() throws InterruptedException {
        assertThat(tried(Trials.BRIEF, Trials.BRIEF.term())).isInstanceOf(TrialOutcome.Passed.class);
    }

    @Test
    void aStoreThatGrantsAtOnceIsCaught() throws InterruptedException {
        assertThat(tried(LONG_TERM, Duration.ZERO)).isInstanceOfSatisfying(TrialOutcome.Failed.class, failed -> {
            assertThat(failed.seen()).contains("after the store lost its memory");
            assertThat(failed.meaning()).contains("Two hold at once");
        });
    }

    @Test
    void aStoreThatNeverGrantsAgainIsCaught() throws InterruptedException {
        assertThat(tried(Trials.IMPATIENT, Duration.ofHours(1)))
                .isInstanceOfSatisfying(
                        TrialOutcome.Failed.class,
                        failed -> assertThat(failed.seen()).contains("not granted again within"));
    }

    @Test
    void aStoreWhoseTokensBeginAgainIsCaught() throws InterruptedException {
        store.commit(Breach.REPEATS_TOKENS);

        assertThat(tried(Trials.BRIEF, Trials.BRIEF.term()))
                .isInstanceOfSatisfying(
                        TrialOutcome.Failed.class,
                        failed -> assertThat(failed.seen()).contains("token 0.1 came after 0.1"));
    }

    private TrialOutcome tried(Pace pace, Duration quiet) throws InterruptedException {
        return Trials.run(scratch(quiet), pace, BehaviourTable.only(List.of("X5")))
                .results()
                .get(0)
                .outcome();
    }

    private Scratch scratch(Duration quiet) {
        Quiet restarted = new Quiet(store);
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
                return restarted;
            }

            @Override
            public Optional<RestartableStore> restartable(Duration longestTerm) {
                return Optional.of(new RestartableStore() {
                    @Override
                    public LockStore store() {
                        return restarted;
                    }

                    @Override
                    public void restart() {
                        store.forgetAll();
                        restarted.until = System.nanoTime() + quiet.toNanos();
                    }
                });
            }

            @Override
            public void close() {}
        };
    }

    /** Grants nothing for a time. It stays open when one of several parties closes it. */
    private static final class Quiet extends PassingStore {
        private volatile long until = System.nanoTime();

        Quiet(LockStore store) {
            super(store);
        }

        @Override
        public StoreAnswer acquire(StoreRequest request) throws InterruptedException {
            long left = until - System.nanoTime();
            if (left > 0 && !request.waits()) {
                throw new LockException(ErrorCode.STORE_UNAVAILABLE, "It grants nothing yet.", List.of(), null);
            }
            TimeUnit.NANOSECONDS.sleep(left);
            request.markStart();
            return super.acquire(request);
        }

        @Override
        public void close() {}
    }
}
