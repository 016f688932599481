package dev.lockstep.spring.actuate;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockEvent;
import dev.lockstep.core.LockException;
import dev.lockstep.core.Locks;
import dev.lockstep.core.OrderPolicy;
import dev.lockstep.core.OrderViolationException;
import dev.lockstep.testkit.FaultyStore.Call;
import dev.lockstep.testkit.Tenancy;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("once")
@Timeout(240)
class LockMetersTest extends MeterStage {
    @Test
    void waitsAndHoldsAreTimedByStoreAndKind() {
        Lease blocker = locks.acquire(exclusive(KEY));
        CompletableFuture<Lease> waiting = locks.acquireAsync(exclusive(KEY).within(Duration.ofMinutes(1)));
        clock.advance(Duration.ofSeconds(3));
        blocker.close();
        waiting.join().close();
        Timer granted = awaitTimer("lockstep.acquire", "outcome", "granted", 2);
        assertThat(granted.totalTime(TimeUnit.SECONDS)).isEqualTo(3);
        assertThat(granted.getId().getTag("store")).isEqualTo("memory");
        assertThat(granted.getId().getTag("kind")).isEqualTo("user");
        assertThat(awaitTimer("lockstep.hold", "outcome", "released", 2).max(TimeUnit.SECONDS))
                .isEqualTo(3);
    }

    @Test
    void refusalsAndTimeoutsCountSeparately() {
        try (Lease blocker = other.acquire(exclusive(KEY))) {
            assertThat(blocker.isHeld()).isTrue();
            locks.tryAcquire(exclusive(KEY));
            awaitTimer("lockstep.acquire", "outcome", "refused", 1);
            CompletableFuture<Lease> waiting = locks.acquireAsync(exclusive(KEY).within(Duration.ofSeconds(1)));
            clock.advance(Duration.ofSeconds(1));
            assertThatThrownBy(waiting::join).isInstanceOf(CompletionException.class);
            awaitTimer("lockstep.acquire", "outcome", "timeout", 1);
        }
    }

    @Test
    void failuresCount() {
        store.failNext(Call.ACQUIRE, 1);
        assertThatThrownBy(() -> locks.acquire(exclusive(KEY))).isInstanceOf(LockException.class);
        awaitTimer("lockstep.acquire", "outcome", "failed", 1);
    }

    @Test
    void deadlocksCountOnce() {
        deadlock();
        assertThat(registry.find("lockstep.acquire").tag("outcome", "failed").timers())
                .isEmpty();
    }

    @Test
    void violationsCountAlsoWhereTheyOnlyWarn() {
        try (Lease account = locks.acquire(exclusive(Tenancy.account("u1", "a1")))) {
            assertThatThrownBy(() -> locks.acquire(exclusive(Tenancy.user("u2")).as(account.owner())))
                    .isInstanceOf(OrderViolationException.class);
        }
        awaitTimer("lockstep.acquire", "outcome", "violation", 1);
        awaitCounter("lockstep.order.violations", "policy", "fail", 1);
        try (Locks lenient = Locks.builder(memory)
                        .orderPolicy(OrderPolicy.WARN)
                        .leaveStoreOpen()
                        .build();
                LockMeters own = new LockMeters(lenient)) {
            own.bindTo(registry);
            lenient.run(
                    exclusive(Tenancy.account("u1", "a1")),
                    lease -> lenient.acquire(exclusive(Tenancy.user("u2"))).close());
            awaitCounter("lockstep.order.violations", "policy", "warn", 1);
            awaitTimer("lockstep.acquire", "outcome", "violation", 1);
        }
    }

    @Test
    void renewalsAndTheirLagAreReported() {
        Lease lease = locks.acquire(exclusive(KEY));
        store.failNext(Call.RENEW, 1);
        clock.advance(UNTIL_RENEWAL);
        awaitCounter("lockstep.renewals", "outcome", "failed", 1);
        clock.advance(Duration.ofMillis(1_100));
        awaitCounter("lockstep.renewals", "outcome", "renewed", 1);
        Timer lag = awaitTimer("lockstep.renewal.lag", "kind", "user", 1);
        assertThat(lag.totalTime(TimeUnit.MILLISECONDS)).isBetween(1_166.0, 1_167.0);
        lease.close();
    }

    @Test
    void lostLeasesCountByReason() {
        Lease forgotten = locks.acquire(exclusive(KEY));
        store.forget(forgotten.id());
        clock.advance(UNTIL_RENEWAL);
        awaitCounter("lockstep.lost.leases", "reason", "refused", 1);
        forgotten.close();
        awaitTimer("lockstep.hold", "outcome", "lost", 1);
        locks.acquire(exclusive(KEY).forTerm(Duration.ofSeconds(1)));
        clock.advance(Duration.ofSeconds(1));
        awaitCounter("lockstep.lost.leases", "reason", "expired", 1);
    }

    @Test
    void releasesThatFailCount() {
        Lease lease = locks.acquire(exclusive(KEY));
        store.failNext(Call.RELEASE, 1);
        lease.close();
        awaitCounter("lockstep.failed.releases", "kind", "user", 1);
    }

    @Test
    void heldAndWaitingAreGauged() {
        Lease lease = other.acquire(exclusive(KEY));
        Lease own = locks.acquire(exclusive(Tenancy.user("u2")));
        CompletableFuture<Lease> waiting = locks.acquireAsync(exclusive(KEY).within(Duration.ofMinutes(1)));
        assertThat(registry.get("lockstep.held.leases").gauge().value()).isEqualTo(1);
        assertThat(registry.get("lockstep.waiting.requests").gauge().value()).isEqualTo(1);
        lease.close();
        waiting.join().close();
        own.close();
        await().until(() -> registry.get("lockstep.held.leases").gauge().value() == 0);
        assertThat(registry.get("lockstep.waiting.requests").gauge().value()).isZero();
    }

    @Test
    void droppedEventsAreNotHidden() {
        assertThat(registry.get("lockstep.dropped.events").counter().count()).isZero();
        new LockEventMeters("memory", registry).on(new LockEvent.Dropped(clock.instant(), 42));
        assertThat(registry.get("lockstep.dropped.events").counter().count()).isEqualTo(42);
    }

    @Test
    void nothingIsCountedAfterTheEnd() {
        meters.close();
        locks.acquire(exclusive(KEY)).close();
        probe.await(LockEvent.Released.class);
        assertThat(registry.find("lockstep.acquire").timers()).isEmpty();
    }
}
