package dev.lockstep.projectlock;

import static dev.lockstep.projectlock.ProjectLockFailure.ACQUIRE_TIMEOUT;
import static dev.lockstep.projectlock.ProjectLockFailure.LEASE_EXPIRED;
import static dev.lockstep.projectlock.ProjectOnDisk.ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.LockClock;
import dev.lockstep.projectlock.ProjectLockEvent.Expired;
import dev.lockstep.projectlock.ProjectLockState.BackingOff;
import dev.lockstep.projectlock.ProjectLockState.Idle;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("a project lock whose clocks are wrong")
class WrongClockTest {
    private static final Duration TERM = Duration.ofSeconds(15);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration MOMENT = Duration.ofMillis(1);

    private final Machine machine = new Machine();
    private ProjectLock holder;
    private ProjectLock waiter;
    private Told told;

    @BeforeEach
    void open() {
        holder = machine.holder();
        waiter = machine.holder();
        told = new Told(waiter);
    }

    @AfterEach
    void close() {
        told.close();
        machine.close();
    }

    @Test
    @DisplayName(
            "a wall clock set forward ends the lease, and the next one gets it; setting it back does not revive it")
    void forwardWhileHolding() {
        ProjectLease lease = holder.acquire().lease();
        machine.clock.jumpWallClock(HOUR);
        assertThat(holder.isHeld(lease)).isFalse();
        ProjectLease next = waiter.acquire(ONCE).lease();
        machine.clock.jumpWallClock(HOUR.negated());
        assertThat(waiter.isHeld(next)).isTrue();
        assertThat(holder.isHeld(lease)).isFalse();
    }

    @Test
    @DisplayName("a lease that was seen to be over stays over, though nothing has ended it yet")
    void noRevival() {
        SteppedClock stepped = new SteppedClock(machine.clock);
        ProjectLock unwatched = machine.keep(machine.builder().clock(stepped));
        ProjectLease lease = unwatched.acquire().lease();
        stepped.awaitStanding(1);
        machine.clock.jumpWallClock(HOUR);
        assertThat(unwatched.isHeld(lease)).isFalse();
        ProjectLease next = waiter.acquire(ONCE).lease();
        machine.clock.jumpWallClock(HOUR.negated());
        assertThat(unwatched.isHeld(lease)).isFalse();
        assertThat(waiter.isHeld(next)).isTrue();
        stepped.close();
    }

    @Test
    @DisplayName("a wall clock set back lets nobody else in before the holder's monotonic clock has ended the lease")
    void backWhileHolding() {
        ProjectLease lease = holder.acquire().lease();
        told.acquireFails(ACQUIRE_TIMEOUT, () -> waiter.acquire(ONCE));
        machine.clock.jumpWallClock(HOUR.negated());
        machine.clock.advance(TERM.minus(MOMENT));
        assertThat(holder.isHeld(lease)).isTrue();
        told.acquireFails(ACQUIRE_TIMEOUT, () -> waiter.acquire(ONCE));
        machine.clock.advance(MOMENT);
        assertThat(holder.isHeld(lease)).isFalse();
        waiter.acquire(ONCE);
    }

    @Test
    @DisplayName("a holder that renews after its wall clock was set back keeps the others out")
    void renewalAfterSettingBack() {
        ProjectLease lease = holder.acquire().lease();
        for (int i = 0; i < 5; i++) {
            told.acquireFails(ACQUIRE_TIMEOUT, () -> waiter.acquire(ONCE));
            machine.clock.advance(Duration.ofSeconds(10));
            machine.clock.jumpWallClock(Duration.ofSeconds(-10)); // to the same expiry as before
            lease = holder.renew(lease);
        }
        assertThat(holder.isHeld(lease)).isTrue();
    }

    @Test
    @DisplayName("a suspended machine wakes up with the lease over, though its monotonic clock stood still")
    void suspended() {
        Told holders = new Told(holder);
        ProjectLease lease = holder.acquire().lease();
        machine.clock.suspend(TERM);
        assertThat(holder.isHeld(lease)).isFalse();
        holders.fails("renew", LEASE_EXPIRED, () -> holder.renew(lease));
        assertThat(holders.events.awaitProject(Expired.class).lease()).isEqualTo(lease);
        assertThat(holder.state()).isEqualTo(new Idle());
        assertThat(machine.file.text()).isEmpty();
        holders.close();
    }

    @Test
    @DisplayName("the watch notices a suspend by itself")
    void noticed() {
        Told holders = new Told(holder);
        holder.acquire();
        machine.clock.suspend(TERM);
        holders.events.awaitProject(Expired.class);
        Awaitility.await().until(() -> holder.state() instanceof Idle);
        assertThat(machine.platform.isHeld()).isFalse();
        holders.close();
    }

    @Test
    @DisplayName("a wait lasts as long on the monotonic clock, however the wall clock jumps")
    void jumpsWhileWaiting() {
        holder.acquire();
        CompletableFuture<ProjectLockException> waiting =
                CompletableFuture.supplyAsync(() -> told.acquireFails(ACQUIRE_TIMEOUT, () -> waiter.acquire()));
        machine.clock.jumpWallClock(HOUR.negated());
        for (int attempt = 1; attempt <= 5; attempt++) {
            int now = attempt;
            Awaitility.await()
                    .pollInterval(Duration.ofMillis(1)) // parked are the holder's watch and the one that waits
                    .until(() -> waiter.state() instanceof BackingOff pause
                            && pause.attempt() == now
                            && machine.clock.parked() == 2);
            machine.clock.jumpWallClock(Duration.ofMinutes(1).negated());
            machine.clock.advanceMonotonic(((BackingOff) waiter.state()).delay());
        }
        waiting.join();
    }

    @Test
    @DisplayName(
            "a record from hours ahead is honoured for one term on the monotonic clock, over several acquires, then replaced")
    void hoursAhead() {
        UUID ahead = UUID.randomUUID();
        machine.file.holding(ahead, machine.clock.instant().plus(HOUR));
        ProjectLockException error = told.acquireFails(ACQUIRE_TIMEOUT, () -> waiter.acquire(ONCE));
        assertThat(error).hasMessageContaining(ahead.toString());
        machine.clock.advance(TERM.minus(MOMENT));
        told.acquireFails(ACQUIRE_TIMEOUT, () -> waiter.acquire(ONCE));
        machine.clock.advance(MOMENT);
        waiter.acquire(ONCE);
    }

    @Test
    @DisplayName("a record that is changed starts the term again")
    void changedAhead() {
        UUID ahead = UUID.randomUUID();
        machine.file.holding(ahead, machine.clock.instant().plus(HOUR));
        told.acquireFails(ACQUIRE_TIMEOUT, () -> waiter.acquire(ONCE));
        machine.clock.advance(TERM.minus(MOMENT));
        machine.file.holding(ahead, machine.clock.instant().plus(HOUR));
        told.acquireFails(ACQUIRE_TIMEOUT, () -> waiter.acquire(ONCE));
        machine.clock.advance(TERM.minus(MOMENT));
        told.acquireFails(ACQUIRE_TIMEOUT, () -> waiter.acquire(ONCE));
        machine.clock.advance(MOMENT);
        waiter.acquire(ONCE);
    }

    @Test
    @DisplayName("the furthest end that a record can have is honoured and replaced like any other")
    void furthest() {
        machine.file.holding(UUID.randomUUID(), Instant.ofEpochMilli(999_999_999_999_999_999L));
        told.acquireFails(ACQUIRE_TIMEOUT, () -> waiter.acquire(ONCE));
        machine.clock.advance(TERM);
        waiter.acquire(ONCE);
    }

    @Test
    @DisplayName("a record that expired long ago is replaced at once")
    void longAgo() {
        machine.file.holding(UUID.randomUUID(), Instant.EPOCH);
        waiter.acquire(ONCE);
        told.awaitEvent(event -> event.type().equals("acquired"));
        assertThat(told.events.projectEventTypes()).containsExactly("acquired");
    }

    @Test
    @DisplayName("a holder with a longer term than the waiter's own is waited for")
    void longerTerm() {
        ProjectLock patient = machine.holder(Duration.ofMinutes(1));
        ProjectLease lease = patient.acquire().lease();
        machine.clock.jumpWallClock(HOUR.negated());
        told.acquireFails(ACQUIRE_TIMEOUT, () -> waiter.acquire(ONCE));
        machine.clock.advance(Duration.ofMinutes(1).minus(MOMENT));
        assertThat(patient.isHeld(lease)).isTrue();
        told.acquireFails(ACQUIRE_TIMEOUT, () -> waiter.acquire(ONCE));
        machine.clock.advance(MOMENT);
        assertThat(patient.isHeld(lease)).isFalse();
        waiter.acquire(ONCE);
    }

    @Test
    @DisplayName("a holder with a longer term whose record was removed by hand keeps the platform's lock for its term")
    void longerTermWithoutRecord() {
        ProjectLock patient = machine.holder(Duration.ofMinutes(1));
        ProjectLease lease = patient.acquire().lease();
        machine.file.removed();
        told.acquireFails(ACQUIRE_TIMEOUT, () -> waiter.acquire(ONCE));
        machine.clock.advance(Duration.ofMinutes(1).minus(MOMENT));
        assertThat(patient.isHeld(lease)).isTrue();
        told.acquireFails(ACQUIRE_TIMEOUT, () -> waiter.acquire(ONCE));
    }

    @Test
    @DisplayName("a wall clock set centuries ahead ends the lease")
    void centuries() {
        AtomicLong wall = new AtomicLong();
        ProjectLock own = machine.keep(machine.builder().clock(new LockClock() {
            @Override
            public long nanos() {
                return machine.clock.nanos();
            }

            @Override
            public long millis() {
                return machine.clock.millis() + wall.get();
            }

            @Override
            public void park(Object blocker, long nanos) {
                machine.clock.park(blocker, nanos);
            }
        }));
        ProjectLease lease = own.acquire().lease();
        wall.set(Duration.ofDays(365L * 8_000).toMillis());
        assertThat(own.isHeld(lease)).isFalse();
    }
}
