package dev.lockstep.projectlock;

import static dev.lockstep.projectlock.ProjectLockFailure.LEASE_EXPIRED;
import static dev.lockstep.projectlock.ProjectLockFailure.LEASE_MISMATCH;
import static dev.lockstep.projectlock.ProjectOnDisk.ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.FencingToken;
import dev.lockstep.projectlock.ProjectLockEvent.AcquireFailed;
import dev.lockstep.projectlock.ProjectLockEvent.Expired;
import dev.lockstep.projectlock.ProjectLockState.BackingOff;
import dev.lockstep.projectlock.ProjectLockState.HoldingPlatform;
import dev.lockstep.projectlock.ProjectLockState.Idle;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("a lease that is not the one that is held")
class LeaseMismatchTest {
    private final Machine machine = new Machine();
    private ProjectLock lock;
    private Told told;

    @BeforeEach
    void open() {
        lock = machine.holder();
        told = new Told(lock);
    }

    @AfterEach
    void close() {
        told.close();
        machine.close();
    }

    private ProjectLease strange() {
        return new ProjectLease(
                UUID.randomUUID(),
                machine.clock.instant().plusSeconds(15),
                LeaseSource.OS_LOCK,
                new FencingToken(0, 7));
    }

    /** Holds the project, does something that must not change that, and looks. */
    private void assertUnharmed(ProjectLease lease, String record) {
        assertThat(lock.state()).isEqualTo(new HoldingPlatform(lease));
        assertThat(lock.isHeld(lease)).isTrue();
        assertThat(machine.file.text()).hasValue(record);
        assertThat(machine.platform.isHeld()).isTrue();
    }

    @Test
    @DisplayName("a second acquire by the holder is refused, and harms nothing")
    void reentry() {
        ProjectLease lease = lock.acquire().lease();
        String record = machine.file.text().orElseThrow();
        ProjectLockException error = told.fails("acquire", LEASE_MISMATCH, () -> lock.acquire());
        assertThat(told.events.awaitProject(AcquireFailed.class).error()).isSameAs(error);
        assertThat(error).hasMessageContaining("release it first");
        assertUnharmed(lease, record);
    }

    @Test
    @DisplayName("a second acquire while the first one waits is refused, and the first one continues")
    void reentryWhileWaiting() {
        ProjectLock other = machine.holder();
        ProjectLease others = other.acquire().lease();
        CompletableFuture<Acquisition> first = CompletableFuture.supplyAsync(() -> lock.acquire());
        Awaitility.await()
                .pollInterval(Duration.ofMillis(1)) // parked are the other's watch and the one that waits
                .until(() -> lock.state() instanceof BackingOff && machine.clock.parked() == 2);
        told.fails("acquire", LEASE_MISMATCH, () -> lock.acquire());
        other.release(others);
        machine.clock.advance(Duration.ofMillis(200));
        assertThat(lock.isHeld(first.join().lease())).isTrue();
    }

    @Test
    @DisplayName("is not renewed, and what is held stays as it is")
    void renewStrange() {
        ProjectLease lease = lock.acquire().lease();
        String record = machine.file.text().orElseThrow();
        machine.clock.advance(Duration.ofSeconds(1));
        ProjectLease strange = strange();
        ProjectLockException error = told.fails("renew", LEASE_MISMATCH, () -> lock.renew(strange));
        assertThat(error)
                .hasMessageContaining(strange.leaseId().toString())
                .hasMessageContaining(lease.leaseId().toString());
        assertUnharmed(lease, record);
    }

    @Test
    @DisplayName("is not released, and what is held stays as it is")
    void releaseStrange() {
        ProjectLease lease = lock.acquire().lease();
        String record = machine.file.text().orElseThrow();
        told.releaseFails(LEASE_MISMATCH, () -> lock.release(strange()));
        assertUnharmed(lease, record);
    }

    @Test
    @DisplayName("nothing is held: neither renewed nor released")
    void nothingHeld() {
        told.fails("renew", LEASE_MISMATCH, () -> lock.renew(strange()));
        told.releaseFails(LEASE_MISMATCH, () -> lock.release(strange()));
        assertThat(lock.state()).isEqualTo(new Idle());
    }

    @Test
    @DisplayName("a lease of another holder is not released here")
    void othersLease() {
        ProjectLock other = machine.holder();
        ProjectLease others = other.acquire().lease();
        told.releaseFails(LEASE_MISMATCH, () -> lock.release(others));
        assertThat(other.isHeld(others)).isTrue();
    }

    @Test
    @DisplayName("a second release and a renewal after the release fail, and leave the next holder alone")
    void afterRelease() {
        ProjectLease lease = lock.acquire().lease();
        lock.release(lease);
        ProjectLock other = machine.holder();
        ProjectLease next = other.acquire(ONCE).lease();
        told.releaseFails(LEASE_MISMATCH, () -> lock.release(lease));
        told.fails("renew", LEASE_MISMATCH, () -> lock.renew(lease));
        assertThat(other.isHeld(next)).isTrue();
        assertThat(machine.file.text().orElseThrow()).contains(next.leaseId().toString());
    }

    @Test
    @DisplayName("a record of another holder ends the lease at the next renewal")
    void renewAfterTheft() {
        ProjectLease lease = lock.acquire().lease();
        UUID thief = UUID.randomUUID();
        machine.file.holding(thief, machine.clock.instant().plusSeconds(15));
        ProjectLockException error = told.fails("renew", LEASE_MISMATCH, () -> lock.renew(lease));
        assertThat(error).hasMessageContaining("Stop writing");
        assertThat(told.events.awaitProject(Expired.class).lease()).isEqualTo(lease);
        assertThat(lock.isHeld(lease)).isFalse();
        assertThat(lock.state()).isEqualTo(new Idle());
        assertThat(machine.file.text().orElseThrow()).contains(thief.toString());
        told.fails("renew", LEASE_EXPIRED, () -> lock.renew(lease));
        assertThat(told.count("expired")).isEqualTo(1);
    }

    @Test
    @DisplayName("a record of another holder is not removed by the release")
    void releaseAfterTheft() {
        ProjectLease lease = lock.acquire().lease();
        UUID thief = UUID.randomUUID();
        machine.file.holding(thief, machine.clock.instant().plusSeconds(15));
        told.releaseFails(LEASE_MISMATCH, () -> lock.release(lease));
        assertThat(told.events.awaitProject(Expired.class).lease()).isEqualTo(lease);
        assertThat(machine.file.text().orElseThrow()).contains(thief.toString());
        assertThat(machine.platform.isHeld()).isFalse();
    }

    @Test
    @DisplayName("a record that was removed by hand is written again by the renewal, and not missed by the release")
    void removedByHand() {
        ProjectLease lease = lock.acquire().lease();
        machine.file.removed();
        ProjectLease renewed = lock.renew(lease);
        assertThat(machine.file.text().orElseThrow()).contains(lease.leaseId().toString());
        machine.file.removed();
        lock.release(renewed);
        assertThat(lock.state()).isEqualTo(new Idle());
    }
}
