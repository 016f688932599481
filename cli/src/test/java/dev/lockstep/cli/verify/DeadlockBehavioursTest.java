package dev.lockstep.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.cli.store.Scratch;
import dev.lockstep.core.CallSite;
import dev.lockstep.core.DeadlockReport;
import dev.lockstep.core.DeadlockReport.Participant;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreBusy;
import dev.lockstep.core.spi.StoreDeadlock;
import dev.lockstep.core.spi.StoreRequest;
import dev.lockstep.core.spi.StoreTrait;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The trial of deadlock reports notices what a report misses or has wrong. */
@Tag("once")
@Timeout(600)
class DeadlockBehavioursTest {
    /** What the store inside records is the line of the store around it. */
    private static final CallSite SITE = new CallSite(
            new StackTraceElement(OppositeOrder.class.getName(), "oneAfterTheOther", "OppositeOrder.java", 1));

    private enum Flaw {
        NONE(cycle -> cycle),
        FORGETS_THE_OTHERS(cycle -> cycle.subList(0, 1)),
        HIDES_OWNERS(changed(one -> participant("somebody", one.holds(), one.waitsFor(), one))),
        HIDES_WHAT_IS_HELD(changed(one -> participant(one.owner(), List.of(), one.waitsFor(), one))),
        CONFUSES_MODES(changed(one -> participant(
                one.owner(), one.holds(), new PlannedLock(one.waitsFor().key(), LockMode.SHARED), one))),
        CONFUSES_KEYS(
                changed(one -> participant(one.owner(), one.holds(), one.holds().get(0), one))),
        HIDES_CALL_SITES(changed(one -> new Participant(
                one.owner(), one.leaseId(), one.holds(), one.waitsFor(), one.since(), Optional.empty()))),
        NAMES_A_STRANGER(cycle -> Stream.concat(
                        cycle.stream(),
                        Stream.of(
                                participant("stranger", List.of(), cycle.get(0).waitsFor(), cycle.get(0))))
                .toList());

        @SuppressWarnings("ImmutableEnumChecker") // each is a function without state
        private final UnaryOperator<List<Participant>> change;

        Flaw(UnaryOperator<List<Participant>> change) {
            this.change = change;
        }

        private static UnaryOperator<List<Participant>> changed(UnaryOperator<Participant> each) {
            return cycle -> cycle.stream().map(each).toList();
        }

        private static Participant participant(
                String owner, List<PlannedLock> holds, PlannedLock waitsFor, Participant one) {
            return new Participant(owner, one.leaseId(), holds, waitsFor, one.since(), Optional.of(SITE));
        }
    }

    /** Tells of deadlocks with a flaw. */
    private static final class Misreporting extends PassingStore {
        private static final UnaryOperator<List<Participant>> SITED =
                Flaw.changed(one -> Flaw.participant(one.owner(), one.holds(), one.waitsFor(), one));

        private final Flaw flaw;

        Misreporting(LockStore store, Flaw flaw) {
            super(store);
            this.flaw = flaw;
        }

        @Override
        public StoreAnswer acquire(StoreRequest request) throws InterruptedException {
            StoreAnswer answer = super.acquire(request);
            return answer instanceof StoreDeadlock deadlock
                    ? new StoreDeadlock(new DeadlockReport(
                            flaw.change.apply(SITED.apply(deadlock.report().cycle())),
                            deadlock.report().victim()))
                    : answer;
        }
    }

    private static TrialOutcome tried(Scratch scratch) throws InterruptedException {
        return Trials.run(scratch, Trials.BRIEF, BehaviourTable.only(List.of("X6")))
                .results()
                .get(0)
                .outcome();
    }

    @Test
    void aReportThatNamesEverythingPasses() throws InterruptedException {
        assertThat(tried(Trials.on(MemoryStore.create())))
                .isInstanceOfSatisfying(
                        TrialOutcome.Passed.class,
                        passed -> assertThat(passed.seen())
                                .contains("'forth'", "'back'", "waits for X(", "OppositeOrder.java:"));
        assertThat(tried(Trials.on(new Misreporting(MemoryStore.create(), Flaw.NONE))))
                .isInstanceOf(TrialOutcome.Passed.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            FORGETS_THE_OTHERS | the request of '
            HIDES_OWNERS       | the request of 'forth', the request of 'back'
            HIDES_WHAT_IS_HELD | what 'forth' holds
            CONFUSES_MODES     | what 'forth' waits for, with its mode
            CONFUSES_KEYS      | what 'back' waits for, with its mode
            HIDES_CALL_SITES   | the call site of 'forth'
            NAMES_A_STRANGER   | only the two
            """)
    void aReportWithAFlawIsCaught(Flaw flaw, String unnamed) throws InterruptedException {
        assertThat(tried(Trials.on(new Misreporting(MemoryStore.create(), flaw))))
                .isInstanceOfSatisfying(TrialOutcome.Failed.class, failed -> {
                    assertThat(failed.seen()).contains(unnamed);
                    assertThat(failed.meaning()).contains("doesn't lead to the code");
                });
    }

    @Test
    void whereTheServerHidesTheOthersItIsDoubtfulAndSaysWhatToGrant() throws InterruptedException {
        assertThat(tried(Trials.onHiding(new Misreporting(MemoryStore.create(), Flaw.FORGETS_THE_OTHERS))))
                .isInstanceOfSatisfying(
                        TrialOutcome.Doubtful.class,
                        doubtful -> assertThat(doubtful.advice()).contains("GRANT PROCESS"));
    }

    @Test
    void whatTheServerShowsMustBeRightAlsoWhereItHidesTheOthers() throws InterruptedException {
        assertThat(tried(Trials.onHiding(new Misreporting(MemoryStore.create(), Flaw.CONFUSES_KEYS))))
                .isInstanceOf(TrialOutcome.Failed.class);
    }

    @Test
    void aStoreThatFindsNoDeadlocksHasNoReport() throws InterruptedException {
        LockStore silent = new PassingStore(MemoryStore.create()) {
            @Override
            public Set<StoreTrait> traits() {
                return Set.of(StoreTrait.NO_DEADLOCK_REPORT);
            }

            @Override
            public StoreAnswer acquire(StoreRequest request) throws InterruptedException {
                StoreAnswer answer = super.acquire(request);
                return answer instanceof StoreDeadlock
                        ? new StoreBusy(request.plan().locks().get(0), List.of())
                        : answer;
            }
        };

        assertThat(tried(Trials.on(silent))).isInstanceOf(TrialOutcome.Inapplicable.class);
    }
}
