package dev.lockstep.coretests;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.Busy;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.testkit.Breach;
import dev.lockstep.testkit.FakeClock;
import dev.lockstep.testkit.FaultyStore;
import dev.lockstep.testkit.FaultyStore.Call;
import dev.lockstep.testkit.HungCall;
import dev.lockstep.testkit.Tenancy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class FaultyStoreTest {
    private static final LockKey KEY = Tenancy.user("u1");
    private static final LockKey OTHER_KEY = Tenancy.user("u2");

    private final FakeClock clock = new FakeClock();
    private final FaultyStore store = FaultyStore.around(MemoryStore.on(clock));
    private final Locks locks = Locks.builder(store).build();
    private final Locks other = Locks.builder(store).leaveStoreOpen().build();

    @AfterEach
    void close() {
        other.close();
        locks.close();
    }

    @Test
    void withoutFaultsItIsTheStoreItWraps() {
        Lease lease = locks.acquire(exclusive(KEY));
        assertThat(lease.source()).isEqualTo("memory");
        assertThat(other.tryAcquire(exclusive(KEY))).isInstanceOf(Busy.class);
        lease.renew();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(store.snapshot().isEmpty()).isTrue();
        assertThat(store.calls(Call.ACQUIRE)).isEqualTo(2);
        assertThat(store.calls(Call.RENEW)).isEqualTo(1);
        assertThat(store.calls(Call.RELEASE)).isEqualTo(1);
    }

    @Test
    void failsAsOftenAsRequested() {
        store.failNext(Call.ACQUIRE, 2);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> locks.acquire(exclusive(KEY)))
                    .isInstanceOfSatisfying(
                            LockException.class,
                            error -> assertThat(error.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE));
        }
        assertThat(store.snapshot().isEmpty()).isTrue();
        locks.acquire(exclusive(KEY)).close();
    }

    @Test
    void lostAnswerMeansThatTheCallWasCarriedOut() {
        store.loseAnswers(Call.ACQUIRE, 1);
        assertThatThrownBy(() -> locks.acquire(exclusive(KEY).forTerm(Duration.ofSeconds(10))))
                .hasMessageContaining("lost");
        assertThat(other.tryAcquire(exclusive(KEY))).isInstanceOf(Busy.class);
        clock.advance(Duration.ofSeconds(10));
        assertThat(other.tryAcquire(exclusive(KEY))).isInstanceOf(Granted.class);
    }

    @Test
    void hungCallContinuesWhenItIsReleased() {
        HungCall hung = store.hangNext(Call.ACQUIRE);
        CompletableFuture<Lease> lease = CompletableFuture.supplyAsync(() -> locks.acquire(exclusive(KEY)));
        hung.awaitReached();
        assertThat(lease).isNotDone();
        other.acquire(exclusive(KEY)).close();
        hung.letGo();
        lease.join().close();
    }

    @Test
    void hungAnswerKeepsTheLocksMeanwhile() {
        HungCall hung = store.hangNextAnswer(Call.ACQUIRE);
        CompletableFuture<Lease> lease = CompletableFuture.supplyAsync(() -> locks.acquire(exclusive(KEY)));
        hung.awaitReached();
        assertThat(other.tryAcquire(exclusive(KEY))).isInstanceOf(Busy.class);
        store.heal();
        lease.join().close();
        assertThat(store.snapshot().isEmpty()).isTrue();
    }

    @Test
    void delaysCalls() {
        store.delay(Call.ACQUIRE, Duration.ofMillis(30));
        long before = System.nanoTime();
        locks.acquire(exclusive(KEY)).close();
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(Duration.ofMillis(30));
    }

    @Test
    void forgottenLeaseIsUnknown() {
        Lease lease = locks.acquire(exclusive(KEY));
        store.forget(lease.id());
        Lease heir = other.acquire(exclusive(KEY));
        assertThatThrownBy(lease::renew).isInstanceOf(LeaseLostException.class);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.LOST);
        assertThat(heir.isHeld()).isTrue();
        store.forgetAll();
        assertThat(heir.release()).isEqualTo(ReleaseOutcome.LOST);
    }

    // ---- breaches of the contract

    @Test
    void forgottenGrantLetsTheNextOneIn() {
        store.commit(Breach.FORGETS_GRANTS);
        Lease lease = locks.acquire(exclusive(KEY));
        assertThat(other.tryAcquire(exclusive(KEY))).isInstanceOf(Granted.class);
        lease.renew();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void exclusiveTakenAsSharedExcludesNothing() {
        store.commit(Breach.TAKES_EXCLUSIVE_AS_SHARED);
        locks.acquire(exclusive(Tenancy.account("u1", "a1")));
        assertThat(other.tryAcquire(exclusive(KEY))).isInstanceOf(Granted.class);
    }

    @Test
    void sharedTakenAsExclusiveExcludesWhatStandsBesideIt() {
        store.commit(Breach.TAKES_SHARED_AS_EXCLUSIVE);
        locks.acquire(exclusive(Tenancy.account("u1", "a1")));
        assertThat(other.tryAcquire(exclusive(Tenancy.account("u1", "a2")))).isInstanceOf(Busy.class);
    }

    @Test
    void withoutAncestorsTheWholeAndItsPartsDoNotMeet() {
        store.commit(Breach.IGNORES_ANCESTORS);
        locks.acquire(exclusive(KEY));
        assertThat(other.tryAcquire(exclusive(KEY))).isInstanceOf(Busy.class);
        assertThat(other.tryAcquire(exclusive(Tenancy.account("u1", "a1")))).isInstanceOf(Granted.class);
    }

    @Test
    void whatIsReleasedMayStayUntilItsTermIsOver() {
        store.commit(Breach.KEEPS_WHAT_IS_RELEASED);
        Lease lease = locks.acquire(exclusive(KEY).forTerm(Duration.ofSeconds(10)));
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(other.tryAcquire(exclusive(KEY))).isInstanceOf(Busy.class);
        clock.advance(Duration.ofSeconds(10));
        assertThat(other.tryAcquire(exclusive(KEY))).isInstanceOf(Granted.class);
    }

    @Test
    void setThatIsRefusedMayKeepItsFirstPart() {
        Lease last = locks.acquire(exclusive(OTHER_KEY));
        store.commit(Breach.KEEPS_PARTS_OF_SETS);
        assertThat(other.tryAcquire(exclusive(KEY, OTHER_KEY))).isInstanceOf(Busy.class);
        store.heal();
        last.close();
        assertThat(locks.tryAcquire(exclusive(KEY))).isInstanceOf(Busy.class);
    }

    @Test
    void setTakenInAnyOrderIsStillTakenWhole() {
        store.commit(Breach.TAKES_SETS_IN_ANY_ORDER);
        Lease lease = locks.acquire(exclusive(KEY, OTHER_KEY));
        assertThat(other.tryAcquire(exclusive(KEY))).isInstanceOf(Busy.class);
        assertThat(other.tryAcquire(exclusive(OTHER_KEY))).isInstanceOf(Busy.class);
        lease.renew();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(store.snapshot().isEmpty()).isTrue();
    }

    @Test
    void tokensMayStandStill() {
        store.commit(Breach.REPEATS_TOKENS);
        Lease one = locks.acquire(exclusive(KEY));
        Lease two = other.acquire(exclusive(OTHER_KEY));
        assertThat(two.token()).isEqualTo(one.token());
        one.renew();
        assertThat(one.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void snapshotMayShowNothing() {
        store.commit(Breach.SHOWS_NOTHING);
        locks.acquire(exclusive(KEY));
        assertThat(store.snapshot().isEmpty()).isTrue();
        store.heal();
        assertThat(store.snapshot().holders()).hasSize(1);
    }
}
