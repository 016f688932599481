package dev.lockstep.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.StoreTrait;
import dev.lockstep.testkit.Breach;
import dev.lockstep.testkit.FaultyStore;
import dev.lockstep.testkit.FaultyStore.Call;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once")
@Timeout(600)
class BrokenStoreTest {
    /** With these a request waits in vain for all its patience. */
    private static final Set<Breach> NEVER_SERVED =
            EnumSet.of(Breach.KEEPS_WHAT_IS_RELEASED, Breach.TAKES_SETS_IN_ANY_ORDER, Breach.IGNORES_TERMS);

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            FORGETS_GRANTS            | H4.1   | was granted to one party while another held | Two hold at once
            FORGETS_GRANTS            | H2     | increments by 4 threads of 3 parties were lost | Two hold at once
            FORGETS_GRANTS            | H5.1   | 54 of 196 pairs are not as expected | two hold at once
            FORGETS_GRANTS            | H12.2  | each had both resources | Two hold at once
            FORGETS_GRANTS            | O4     | the second was granted while the first held | Two hold at once
            TAKES_EXCLUSIVE_AS_SHARED | H4.1   | was granted to one party while another held | Two hold at once
            TAKES_SHARED_AS_EXCLUSIVE | H4.2   | was refused | locked that should be free
            TAKES_SHARED_AS_EXCLUSIVE | H5.2   | refused, and should be granted | work waits without a holder
            IGNORES_ANCESTORS         | H4.3.1 | was granted to one party while another held | Two hold at once
            IGNORES_ANCESTORS         | H4.4.3 | was granted to one party while another held | Two hold at once
            IGNORES_ANCESTORS         | H5.1   | granted, and should be refused | two hold at once
            IGNORES_ANCESTORS         | O8.3   | was granted to one party while another held | Two hold at once
            FORGETS_GRANTS            | X1     | X was granted beside IS | Two hold at once
            TAKES_SHARED_AS_EXCLUSIVE | X1     | IS was refused beside IS | locked that should be free
            IGNORES_ANCESTORS         | X1     | X was granted beside IS | Two hold at once
            KEEPS_WHAT_IS_RELEASED    | H4.1   | still waited | locked that should be free
            KEEPS_WHAT_IS_RELEASED    | H5.1   | refused | work waits without a holder
            KEEPS_WHAT_IS_RELEASED    | O8.2   | was refused | locked that should be free
            KEEPS_PARTS_OF_SETS       | O6     | stayed locked after the set | is not released
            TAKES_SETS_IN_ANY_ORDER   | O7     | character:O7-A | one order
            TAKES_SETS_IN_ANY_ORDER   | H12.1  | user:H12.1-u | one order
            REPEATS_TOKENS            | X2.1   | token 0.1 came after 0.1 | overtaken
            REPEATS_TOKENS            | X2.2   | token 0.1 came after 0.1 | overtaken
            IGNORES_TERMS             | X3.1   | the next still waited | don't end by themselves
            """)
    void isCaughtByTheBehaviourThatItBreaks(Breach breach, String id, String seen, String meaning)
            throws InterruptedException {
        Pace pace = NEVER_SERVED.contains(breach) ? Trials.IMPATIENT : Trials.BRIEF;
        Report report = Trials.run(Trials.with(breach), pace, BehaviourTable.only(List.of(id)));

        assertThat(report.isProof()).isFalse();
        assertThat(report.results().get(0).outcome()).isInstanceOfSatisfying(TrialOutcome.Failed.class, failed -> {
            assertThat(failed.seen()).containsIgnoringCase(seen);
            assertThat(failed.meaning()).contains(meaning);
            assertThat(failed.expected()).isNotBlank();
        });
    }

    @Test
    void thatShowsNothingIsDoubtfulAndNotBroken() throws InterruptedException {
        Report report = Trials.run(Trials.with(Breach.SHOWS_NOTHING), Trials.BRIEF, BehaviourTable.only(List.of("X7")));

        assertThat(report.isProof()).isTrue();
        assertThat(report.results().get(0).outcome())
                .isInstanceOfSatisfying(
                        TrialOutcome.Doubtful.class,
                        doubtful -> assertThat(doubtful.advice()).contains("SELECT ON performance_schema.*"));
    }

    @Test
    void ofTwoModesThatLetsWritersBesideAReaderIsCaught() throws InterruptedException {
        Report report = Trials.run(
                Trials.on(new TwoModes(Trials.broken(Breach.IGNORES_ANCESTORS))),
                Trials.IMPATIENT,
                BehaviourTable.only(List.of("X1")));

        assertThat(report.results().get(0).outcome())
                .isInstanceOfSatisfying(
                        TrialOutcome.Failed.class,
                        failed -> assertThat(failed.meaning()).contains("Two hold at once"));
    }

    @Test
    void ofTwoModesHasNoIntentsToProve() throws InterruptedException {
        Report report = Trials.run(
                Trials.on(new TwoModes(MemoryStore.create())), Trials.BRIEF, BehaviourTable.only(List.of("X1")));

        assertThat(report.results().get(0).outcome())
                .isInstanceOfSatisfying(
                        TrialOutcome.Inapplicable.class,
                        none -> assertThat(none.reason()).contains("taken as an exclusive one"));
    }

    /** Says that it has two modes. */
    private static final class TwoModes extends PassingStore {
        TwoModes(LockStore store) {
            super(store);
        }

        @Override
        public Set<StoreTrait> traits() {
            return Set.of(StoreTrait.TWO_MODES);
        }
    }

    @Test
    void failuresOfTheMatrixAreListedUpToALimit() throws InterruptedException {
        Report report =
                Trials.run(Trials.with(Breach.FORGETS_GRANTS), Trials.BRIEF, BehaviourTable.only(List.of("H5.1")));

        TrialOutcome.Failed failed =
                (TrialOutcome.Failed) report.results().get(0).outcome();
        assertThat(failed.seen().lines()).hasSize(12);
        assertThat(failed.seen())
                .contains("exclusive[user:H5.1-u1], then exclusive[user:H5.1-u1]: granted, and should be refused")
                .endsWith("and 44 more");
    }

    @Test
    void whatIsLeftLockedDoesNotDisturbTheNextBehaviour() throws InterruptedException {
        Report report = Trials.run(
                Trials.with(Breach.KEEPS_PARTS_OF_SETS), Trials.BRIEF, BehaviourTable.only(List.of("O6", "O3", "O8")));

        assertThat(report.count(TrialOutcome.Failed.class)).isEqualTo(1);
    }

    @Test
    void thatHangsIsGivenUp() throws InterruptedException {
        FaultyStore store = FaultyStore.around(MemoryStore.create());
        store.hangNext(Call.ACQUIRE);
        Pace soon = new Pace(
                Duration.ofMillis(100),
                2,
                Duration.ofMillis(300),
                Duration.ofSeconds(15),
                Duration.ofSeconds(40), // the second behaviour must not be given up because the machine stood still
                Duration.ofMinutes(9));

        Report report = Trials.run(Trials.on(store), soon, BehaviourTable.only(List.of("H4.1", "H4.2")));

        assertThat(report.results().get(0).outcome())
                .isInstanceOfSatisfying(
                        TrialOutcome.Failed.class,
                        failed -> assertThat(failed.seen()).contains("did not come to an end"));
        assertThat(report.results().get(1).outcome()).isInstanceOf(TrialOutcome.Passed.class);
    }

    @Test
    void whatStillGetsOnWhenTheTimeIsOverIsNotProvenAndNotBroken() throws InterruptedException {
        Behaviour endless = new Behaviour("E1", "never done", "no end", stage -> {
            while (true) {
                stage.pulse().beat();
                Thread.sleep(10);
            }
        });

        Report report = Trials.run(
                Trials.on(MemoryStore.create()), Trials.BRIEF.within(Duration.ofSeconds(1)), List.of(endless));

        assertThat(report.results().get(0).outcome())
                .isInstanceOfSatisfying(
                        TrialOutcome.Skipped.class,
                        skipped -> assertThat(skipped.reason()).startsWith("no time was left"));
        assertThat(report.isProof()).isFalse();
    }

    @Test
    void thatFailsOneOfTwoIsReportedWithItsOwnError() throws InterruptedException {
        FaultyStore store = FaultyStore.around(MemoryStore.create());
        store.failNext(Call.ACQUIRE, 1);

        Report report = Trials.run(Trials.on(store), Trials.BRIEF, BehaviourTable.only(List.of("H12.2")));

        assertThat(report.unreachable()).as("%s", report.results()).isTrue();
        assertThat(report.took()).isLessThan(OppositeOrder.MEETING);
    }

    @Test
    void afterTheEndNoPartiesAreMade() {
        FaultyStore store = FaultyStore.around(MemoryStore.create());
        Verification ended = new Verification(Trials.on(store), Trials.BRIEF, new Progress() {});
        ended.close();

        assertThatThrownBy(() -> ended.run(BehaviourTable.only(List.of("H4.1"))))
                .isInstanceOf(LockException.class)
                .hasMessageContaining("ended early");
    }

    @Test
    void thatGoesAwayEndsTheTrial() throws InterruptedException {
        FaultyStore store = FaultyStore.around(MemoryStore.create());
        store.failNext(Call.ACQUIRE, Integer.MAX_VALUE);

        Report report = Trials.run(Trials.on(store), Trials.IMPATIENT, BehaviourTable.only(List.of("H4")));

        assertThat(report.unreachable()).as("%s", ErrorCode.STORE_UNAVAILABLE).isTrue();
        assertThat(report.count(TrialOutcome.Failed.class)).isEqualTo(1);
        assertThat(report.count(TrialOutcome.Skipped.class)).isEqualTo(8);
    }

    @Test
    void noTimeLeftMeansNotTried() throws InterruptedException {
        Report report = Trials.run(
                Trials.on(MemoryStore.create()),
                Trials.BRIEF.within(Duration.ofNanos(1)),
                BehaviourTable.only(List.of("H4")));

        assertThat(report.count(TrialOutcome.Skipped.class)).isEqualTo(9);
        assertThat(report.isProof()).isFalse();
    }
}
