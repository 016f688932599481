package dev.lockstep.coretests;

import static dev.lockstep.core.LockRequest.shared;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.FencingToken;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.LockException;
import dev.lockstep.core.Locks;
import dev.lockstep.core.leadership.Candidacy;
import dev.lockstep.core.leadership.Leadership;
import dev.lockstep.core.leadership.Stop;
import dev.lockstep.core.leadership.Term;
import dev.lockstep.testkit.FaultyStore.Call;
import dev.lockstep.testkit.HungCall;
import dev.lockstep.testkit.Tenancy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeadershipTest extends LeaseStage {
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final List<Leadership> started = new ArrayList<>();

    @AfterEach
    void stopAll() {
        store.heal();
        started.forEach(Leadership::close);
    }

    private Candidacy candidacy(Locks on, String name) {
        return on.leadership(KEY)
                .as(name)
                .whenElected(term -> calls.add(name + " elected"))
                .whenStopped(stop -> calls.add(name + " stopped: " + stop.reason()));
    }

    private Leadership start(Candidacy candidacy) {
        Leadership leadership = candidacy.start();
        started.add(leadership);
        return leadership;
    }

    private static void awaitLeader(Leadership leadership) {
        await().until(leadership::isLeader);
    }

    private void awaitWaiting() {
        await().until(() -> !memory.snapshot().waiters().isEmpty());
    }

    @Test
    void oneOfTwoLeadsAndTheOtherFollowsWhenItResigns() {
        Leadership a = start(candidacy(locks, "a"));
        awaitLeader(a);
        Leadership b = start(candidacy(other, "b"));
        awaitWaiting();
        assertThat(b.isLeader()).isFalse();
        assertThat(b.leader())
                .hasValueSatisfying(leader -> assertThat(leader.owner()).isEqualTo("a"));
        FencingToken first = a.term().orElseThrow().token();

        assertThat(a.resign()).isTrue();

        assertThat(a.isLeader()).isFalse();
        awaitLeader(b);
        await().until(() -> calls.size() == 3);
        assertThat(calls).containsExactly("a elected", "a stopped: RESIGNED", "b elected");
        assertThat(b.term().orElseThrow().token()).isGreaterThan(first);
        assertThat(b.leader())
                .hasValueSatisfying(leader -> assertThat(leader.owner()).isEqualTo("b"));
        awaitWaiting();
        b.close();
        awaitLeader(a);
    }

    @Test
    void theKeyIsReleasedAfterTheStopCallbackHasReturned() throws InterruptedException {
        CountDownLatch stopping = new CountDownLatch(1);
        CountDownLatch mayReturn = new CountDownLatch(1);
        Leadership a = start(locks.leadership(KEY).as("a").whenStopped(stop -> {
            stopping.countDown();
            uninterruptibly(mayReturn);
        }));
        awaitLeader(a);
        a.resign();
        stopping.await();

        assertThat(a.isLeader()).isFalse();
        assertThat(a.state()).isEqualTo(Leadership.State.STOPPING);
        othersAreRefused();
        mayReturn.countDown();
        awaitLeader(a);
    }

    @Test
    void aHangingCallbackKeepsNoOtherFromLeading() {
        CountDownLatch never = new CountDownLatch(1);
        Leadership a = start(locks.leadership(KEY)
                .as("a")
                .stopWithin(Duration.ofSeconds(3))
                .whenElected(term -> uninterruptibly(never)));
        awaitLeader(a);
        Leadership b = start(candidacy(other, "b"));
        awaitWaiting();

        a.resign();
        await().until(() -> a.state() == Leadership.State.STOPPING);
        clock.advance(Duration.ofSeconds(4));

        awaitLeader(b);
        assertThat(a.state()).isEqualTo(Leadership.State.STOPPING); // and doesn't stand again
        never.countDown();
        await().until(() -> a.state() == Leadership.State.WAITING);
    }

    private static void uninterruptibly(CountDownLatch latch) {
        boolean interrupted = false;
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aFailingCallbackChangesNothing() {
        Leadership a = start(locks.leadership(KEY)
                .whenElected(term -> {
                    throw new IllegalStateException("elected fails");
                })
                .whenStopped(stop -> {
                    throw new AssertionError("stopped fails");
                }));
        awaitLeader(a);
        Term first = a.term().orElseThrow();
        a.resign();
        await().until(() -> a.term().filter(term -> term != first).isPresent());
    }

    @Test
    void workInTheElectedCallbackIsInterruptedWhenTheTermEnds() {
        List<Stop> stops = new CopyOnWriteArrayList<>();
        Leadership a = start(locks.leadership(KEY)
                .whenElected(term -> {
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        calls.add("interrupted");
                    }
                })
                .whenStopped(stop -> {
                    calls.add("stopped, interrupted: " + Thread.currentThread().isInterrupted());
                    stops.add(stop);
                }));
        awaitLeader(a);
        a.close();
        assertThat(calls).containsExactly("interrupted", "stopped, interrupted: false");
        assertThat(stops)
                .singleElement()
                .satisfies(stop -> assertThat(stop.reason()).isEqualTo(Stop.Reason.CLOSED));
        assertThat(memory.snapshot().isEmpty()).isTrue();
    }

    @Test
    void aLeaderThatCannotRenewStopsBeforeAnotherOneLeadsAndStandsAgain() {
        Leadership a = start(candidacy(locks, "a"));
        awaitLeader(a);
        Term term = a.term().orElseThrow();
        Leadership b = start(candidacy(other, "b"));
        awaitWaiting();
        HungCall hung = store.hangNext(Call.RENEW);

        clock.advance(Duration.ofMillis(9_910)); // past the holder's own end, not the store's

        assertThat(a.isLeader()).isFalse();
        assertThatThrownBy(term::ensureHeld).isInstanceOf(LeaseLostException.class);
        awaitLeader(b);
        hung.letGo();
        await().until(() -> calls.contains("b elected"));
        assertThat(calls).containsExactly("a elected", "a stopped: LOST", "b elected");
        await().until(() -> a.state() == Leadership.State.WAITING);
        b.close();
        awaitLeader(a);
    }

    @Test
    void aCandidateStandsAgainAfterAnOutage() {
        store.failNext(Call.ACQUIRE, 3);
        Leadership a = start(candidacy(locks, "a"));
        assertThat(a.isLeader()).isFalse();
        await().until(() -> {
            clock.advance(Duration.ofMillis(500));
            return a.isLeader();
        });
        assertThat(store.calls(Call.ACQUIRE)).isEqualTo(4);
    }

    @Test
    void aFailingRequestKeepsTheCandidateUnavailableUntilTheStoreResponds() {
        Leadership b = start(candidacy(other, "b"));
        awaitLeader(b);
        store.failNext(Call.ACQUIRE, 2);
        Leadership a = start(candidacy(locks, "a"));
        await().until(() -> a.state() == Leadership.State.UNAVAILABLE && store.calls(Call.ACQUIRE) == 2);

        HungCall hung = store.hangNext(Call.ACQUIRE);
        await().until(() -> {
            clock.advance(Duration.ofMillis(500));
            return hung.isReached();
        });
        assertThat(a.state()).isEqualTo(Leadership.State.UNAVAILABLE);
        hung.letGo();
        await().until(() -> a.state() == Leadership.State.WAITING);
        awaitWaiting();
    }

    @Test
    void aKeyWhoseParentIsHeldSharedIsWaitedFor() {
        Lease reader = other.acquire(shared(KEY).as("reader"));
        Leadership a = start(
                locks.leadership(Tenancy.account("u1", "a1")).as("a").whenElected(term -> calls.add("a elected")));
        awaitWaiting();
        assertThat(a.isLeader()).isFalse();
        reader.close();
        awaitLeader(a);
    }

    @Test
    void resigningAgainBeforeTheTermHasEndedIsNoSecondResignation() {
        CountDownLatch never = new CountDownLatch(1);
        Leadership a = start(locks.leadership(KEY).whenElected(term -> uninterruptibly(never)));
        awaitLeader(a);
        List<Boolean> resigned = List.of(a.resign(), a.resign());
        never.countDown();
        assertThat(resigned).containsExactly(true, false);
    }

    @Test
    void aKeyThatIsHeldSharedIsRefused() {
        try (Lease reader = other.acquire(shared(KEY).as("reader"))) {
            assertThatThrownBy(candidacy(locks, "a")::start)
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("is held shared by 'reader'")
                    .hasMessageContaining("Nothing is held");
            assertThat(memory.snapshot().waiters()).isEmpty();
            assertThat(reader.isHeld()).isTrue();
        }
    }

    @Test
    void closedLocksHaveNoCandidates() {
        locks.close();
        assertThatThrownBy(candidacy(locks, "a")::start).isInstanceOf(LockException.class);
    }

    @Test
    void closingTheLocksEndsTheTermAndTheCandidate() {
        Leadership a = start(candidacy(locks, "a"));
        awaitLeader(a);
        locks.close();
        await().until(() -> a.state() == Leadership.State.CLOSED);
        assertThat(calls).containsExactly("a elected", "a stopped: LOST");
    }

    @Test
    void aCallbackMayResignAndClose() {
        Leadership[] leadership = new Leadership[1];
        CountDownLatch assigned = new CountDownLatch(1);
        leadership[0] = start(locks.leadership(KEY).whenElected(term -> {
            uninterruptibly(assigned);
            leadership[0].close();
        }));
        assigned.countDown();
        await().until(() -> leadership[0].state() == Leadership.State.CLOSED);
        assertThat(memory.snapshot().isEmpty()).isTrue();
    }

    @Test
    void manyElectionsHaveNeverTwoLeaders() {
        List<Term> leading = new CopyOnWriteArrayList<>();
        List<Leadership> candidates = new ArrayList<>();
        List<String> overlaps = new CopyOnWriteArrayList<>();
        for (Locks on : List.of(locks, other, locks)) {
            candidates.add(start(on.leadership(KEY)
                    .whenElected(term -> {
                        leading.add(term);
                        if (leading.size() > 1) {
                            overlaps.add(leading.toString());
                        }
                        calls.add("term");
                    })
                    .whenStopped(stop -> leading.remove(stop.term()))));
        }
        await().pollInterval(Duration.ofMillis(2)).until(() -> {
            candidates.forEach(Leadership::resign);
            return calls.size() >= 100;
        });
        assertThat(overlaps).isEmpty();
    }

    @Test
    void anEmptyNameAndAnImpossibleTimeAreRefused() {
        Candidacy candidacy = locks.leadership(KEY);
        assertThatThrownBy(() -> candidacy.as(" ")).isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> candidacy.stopWithin(Duration.ZERO)).isInstanceOf(InvalidRequestException.class);
    }
}
