package dev.lockstep.coretests;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Granted;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockEvent;
import dev.lockstep.core.LockException;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.core.fallback.FallbackState.Grants;
import dev.lockstep.core.fallback.FallbackStore;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.Epoch;
import dev.lockstep.core.spi.EpochRegister;
import dev.lockstep.testkit.Tenancy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What a pair does without its secondary, and which pairs it refuses to be. */
@Execution(ExecutionMode.CONCURRENT)
class FallbackSecondaryTest extends FallbackStage {
    @Test
    void withoutTheSecondaryItStopsAndContinuesWhenThatIsBack() {
        Party process = process();
        Lease lease = process.locks.acquire(exclusive(KEY));
        process.secondary.cut();
        pass(EPOCH_TERM.minusSeconds(2));
        process.probe.await(LockEvent.SecondaryLost.class);
        assertThat(process.grants()).as("within the epoch's term").isEqualTo(Grants.YES);

        pass(Duration.ofSeconds(3));
        assertThat(process.grants()).isEqualTo(Grants.STOPPED);
        assertThatThrownBy(
                        () -> CompletableFuture.supplyAsync(() -> process.locks.tryAcquire(exclusive(KEY)), NEW_THREAD)
                                .join())
                .cause()
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE))
                .hasMessageContaining("has not answered for 10000 ms");
        pass(LONGEST);
        assertThat(lease.isHeld()).as("a lease that could not be renewed").isFalse();

        process.secondary.mend();
        awaitGrants(process, Grants.YES);
        process.probe.await(LockEvent.SecondaryFound.class);
        assertThat(process.locks.tryAcquire(exclusive(KEY))).isInstanceOf(Granted.class);
        assertThat(process.probe.ofType(LockEvent.Switched.class)).isEmpty();
    }

    @Test
    void aGrantThatCameTooLateIsReleasedBeforeItIsRequestedAgain() throws Exception {
        Party holder = process();
        Lease lease = keepRenewed(holder.locks.acquire(exclusive(KEY)));
        Party blocked = process();
        Party waiting = process();
        CompletableFuture<Lease> one =
                CompletableFuture.supplyAsync(() -> blocked.locks.acquire(exclusive(KEY)), NEW_THREAD);
        CompletableFuture<Lease> other = waiting.locks.acquireAsync(exclusive(KEY));
        await().until(() -> first.snapshot().waiters().size() == 2);
        blocked.secondary.cut();
        waiting.secondary.cut();
        pass(EPOCH_TERM.plusSeconds(1));
        lease.close();
        await().until(() -> blocked.primary.calls().contains("released")
                && waiting.primary.calls().contains("released"));
        assertThat(one).isNotDone();
        assertThat(other).isNotDone();

        blocked.secondary.mend();
        waiting.secondary.mend();
        awaitGrants(blocked, Grants.YES);
        awaitGrants(waiting, Grants.YES);
        ((Lease) CompletableFuture.anyOf(one, other).get(60, TimeUnit.SECONDS)).close();
        one.get(60, TimeUnit.SECONDS).close();
        other.get(60, TimeUnit.SECONDS).close();
        assertThat(blocked.primary.calls()).startsWith("acquire", "released", "acquire");
        assertThat(waiting.primary.calls()).startsWith("acquire", "released", "acquire");
    }

    @Test
    void fencedItContinuesWithoutTheSecondary() {
        Party process = keepingOn();
        Lease lease = keepRenewed(process.locks.acquire(exclusive(KEY)));
        process.secondary.cut();
        pass(EPOCH_TERM.multipliedBy(6));
        assertThat(process.grants()).isEqualTo(Grants.FENCED);
        assertThat(lease.isHeld()).as("renewed all the while").isTrue();
        process.secondary.mend();
        awaitGrants(process, Grants.YES);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void whoWentOnFencedIsOvertakenByANewerEpoch() {
        Party alone = keepingOn();
        Party other = keepingOn();
        Lease old = keepRenewed(alone.locks.acquire(exclusive(KEY)));
        other.locks.acquire(exclusive(Tenancy.user("u2"))).close();
        alone.secondary.cut();
        other.primary.cut();
        pass(AWAY.plusSeconds(1));
        passUntilOpen(other);
        assertThat(alone.grants()).isEqualTo(Grants.FENCED);
        try (Lease young = other.locks.acquire(exclusive(KEY))) {
            assertThat(old.isHeld()).as("two holders, as documented").isTrue();
            assertThat(young.token()).isGreaterThan(old.token());
            mayEnd(old);
            alone.secondary.mend();
            pass(LONGEST);
            assertThat(old.isHeld()).as("once it hears of the newer epoch").isFalse();
        }
    }

    @Test
    void aRegisterThatWentBackIsRefused() {
        Party process = process();
        process.locks.acquire(exclusive(KEY)).close();
        EpochRegister register = second.epochs("default").orElseThrow();
        Epoch now = register.read();
        register.replace(now, new Epoch(now.number() - 1, now.side(), true, 0, now.terms()));
        pass(EPOCH_TERM);
        assertThatThrownBy(() -> process.locks.tryAcquire(exclusive(KEY)))
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_FAILED))
                .hasMessageContaining("was changed from outside");
        assertThat(process.grants()).isEqualTo(Grants.STOPPED);
    }

    // ---- refused

    @Test
    void oneStoreIsNoPair() {
        assertThatThrownBy(() -> FallbackStore.of(first, first))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("Both stores of the pair are the same object");
    }

    @Test
    void otherSettingsThanThoseOfTheOthersAreRefused() {
        process().store.start();
        Party other = new Party(store -> store.epochTerm(Duration.ofSeconds(11)));
        assertThatThrownBy(other.store::start)
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("epochTerm 10000 ms")
                .hasMessageContaining("epochTerm 11000 ms");
    }

    @Test
    void anotherPrimaryThanThatOfTheOthersIsRefused() {
        new Party("redis one:6379").store.start();
        new Party("redis one:6379").store.start();
        assertThatThrownBy(new Party("redis other:6379").store::start)
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("primary redis one:6379")
                .hasMessageContaining("primary redis other:6379");
    }

    @Test
    void primaryWithTwoAddressesHasAName() {
        new Party("redis one:6379", store -> store.primaryNamed("orders")).store.start();
        new Party("redis proxy:6379", store -> store.primaryNamed("orders")).store.start();
        Party unnamed = new Party("redis one:6379");
        assertThatThrownBy(unnamed.store::start).isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> unnamed.store.primaryNamed(" ")).isInstanceOf(InvalidRequestException.class);
    }

    @Test
    void aSecondaryWithoutARegisterIsRefused() {
        FallbackStore store = FallbackStore.of(first, FallbackStore.of(second, MemoryStore.on(clock)));
        assertThatThrownBy(store::start)
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("can't keep the register");
    }

    @Test
    void termsBeyondTheLongestAreRefused() {
        Party process = process();
        assertThatThrownBy(() -> process.locks.acquire(exclusive(KEY).forTerm(LONGEST.plusSeconds(1))))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("longer than the pair's longestTerm");
    }

    @Test
    void withoutTheSecondaryItDoesNotStart() {
        Party process = keepingOn();
        process.secondary.cut();
        assertThatThrownBy(process.store::start)
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE));
        process.secondary.mend();
        assertThat(process.locks.tryAcquire(exclusive(KEY))).isInstanceOf(Granted.class);
    }
}
