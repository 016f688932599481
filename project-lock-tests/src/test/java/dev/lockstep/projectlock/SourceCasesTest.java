package dev.lockstep.projectlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.lockstep.projectlock.ProjectLockEvent.AcquireFailed;
import dev.lockstep.projectlock.ProjectLockEvent.Acquired;
import dev.lockstep.projectlock.ProjectLockEvent.Backoff;
import dev.lockstep.projectlock.ProjectLockEvent.Expired;
import dev.lockstep.projectlock.ProjectLockEvent.ReleaseFailed;
import dev.lockstep.projectlock.ProjectLockEvent.Released;
import dev.lockstep.projectlock.ProjectLockEvent.Renewed;
import dev.lockstep.projectlock.ProjectLockState.BackingOff;
import dev.lockstep.projectlock.ProjectLockState.Faulted;
import dev.lockstep.projectlock.ProjectLockState.HoldingFallback;
import dev.lockstep.projectlock.ProjectLockState.HoldingPlatform;
import dev.lockstep.projectlock.ProjectLockState.Idle;
import dev.lockstep.testkit.EventProbe;
import dev.lockstep.testkit.FakeClock;
import dev.lockstep.testkit.InMemoryOpfsFile;
import dev.lockstep.testkit.MockNavigatorLocks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the source's cases of the project lock")
class SourceCasesTest {
    private final MockNavigatorLocks locks = new MockNavigatorLocks();
    private final InMemoryOpfsFile file = new InMemoryOpfsFile();
    private final FakeClock clock = new FakeClock();
    private final EventProbe probe = new EventProbe();
    private ProjectLock project;

    @BeforeEach
    void open() {
        project = ProjectLock.at(Path.of("project"))
                .platformLocks(locks)
                .leaseFiles(file)
                .clock(clock)
                .open();
        project.subscribe(probe);
    }

    @AfterEach
    void close() {
        project.close();
    }

    @Test
    @DisplayName("TC-01 the platform's lock is granted")
    void platform() {
        Acquisition acquisition = project.acquire();
        assertThat(acquisition.didFallback()).isFalse();
        assertThat(acquisition.lease().source()).isEqualTo(LeaseSource.OS_LOCK);
        assertThat(probe.awaitProject(Acquired.class).lease()).isEqualTo(acquisition.lease());
        assertThat(project.state()).isEqualTo(new HoldingPlatform(acquisition.lease()));
        assertThat(file.text().orElseThrow())
                .isEqualTo("{\"leaseId\":\"" + acquisition.lease().leaseId() + "\",\"expiresAt\":"
                        + (clock.millis() + 15_000) + "}");
    }

    @Test
    @DisplayName("TC-02 without the platform's lock the lease file takes over")
    void fallback() {
        locks.unavailable();
        Acquisition acquisition = project.acquire();
        assertThat(acquisition.didFallback()).isTrue();
        assertThat(acquisition.lease().source()).isEqualTo(LeaseSource.LEASE_FILE);
        probe.awaitProject(Acquired.class);
        assertThat(probe.projectEventTypes()).containsExactly("switch-to-fallback", "acquired");
        assertThat(project.state()).isEqualTo(new HoldingFallback(acquisition.lease()));
    }

    @Test
    @DisplayName("TC-03 a record of another holder is waited for, with growing pauses")
    void backoff() {
        locks.unavailable();
        file.holding(UUID.randomUUID(), clock.instant().plus(Duration.ofMillis(1_300)));
        CompletableFuture<Acquisition> acquiring = CompletableFuture.supplyAsync(project::acquire);
        for (long delay : new long[] {200, 400, 800}) {
            Awaitility.await()
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> project.state() instanceof BackingOff pausing
                            && pausing.delay().toMillis() == delay
                            && clock.parked() == 1);
            clock.advance(Duration.ofMillis(delay));
        }
        assertThat(acquiring.join().didFallback()).isTrue();
        probe.awaitProject(Acquired.class);
        assertThat(probe.projectEventTypes())
                .containsExactly("switch-to-fallback", "backoff", "backoff", "backoff", "acquired");
        assertThat(probe.projectEvents().stream()
                        .filter(Backoff.class::isInstance)
                        .map(event -> ((Backoff) event).attempt()))
                .containsExactly(1, 2, 3);
    }

    @Test
    @DisplayName("TC-04 an abort ends the wait, and never continues with the lease file")
    void abort() {
        file.holding(UUID.randomUUID(), clock.instant().plusSeconds(10));
        AbortSignal abort = new AbortSignal();
        CompletableFuture<Acquisition> acquiring = CompletableFuture.supplyAsync(
                () -> project.acquire(AcquireOptions.defaults().abortedBy(abort)));
        Awaitility.await().until(() -> project.state() instanceof BackingOff);
        abort.abort();
        ProjectLockException error = (ProjectLockException)
                acquiring.handle((none, e) -> e.getCause()).join();
        assertThat(error.failure()).isEqualTo(ProjectLockFailure.ABORTED);
        assertThat(probe.awaitProject(AcquireFailed.class).error()).isSameAs(error);
        assertThat(probe.projectEventTypes()).doesNotContain("switch-to-fallback", "acquired");
        assertThat(project.state()).isEqualTo(new Faulted(error));
    }

    @Test
    @DisplayName("TC-05 a renewal moves the end")
    void renewal() {
        ProjectLease lease = project.acquire().lease();
        clock.advance(Duration.ofSeconds(10));
        ProjectLease renewed = project.renew(lease);
        assertThat(renewed.expiresAt()).isEqualTo(clock.instant().plusSeconds(15));
        assertThat(renewed.leaseId()).isEqualTo(lease.leaseId());
        assertThat(probe.awaitProject(Renewed.class).lease()).isEqualTo(renewed);
        assertThat(file.text().orElseThrow())
                .contains(Long.toString(renewed.expiresAt().toEpochMilli()));
        clock.advance(Duration.ofSeconds(10));
        assertThat(project.isHeld(renewed)).isTrue();
    }

    @Test
    @DisplayName("TC-06 a record that can't be removed fails the release")
    void releaseFails() {
        locks.unavailable();
        ProjectLease lease = project.acquire().lease();
        file.failNextDelete(new IOException("the disk is gone"));
        ProjectLockException error = catchThrowableOfType(ProjectLockException.class, () -> project.release(lease));
        assertThat(error.failure()).isEqualTo(ProjectLockFailure.FALLBACK_WRITE_FAILED);
        assertThat(probe.awaitProject(ReleaseFailed.class).error()).isSameAs(error);
        assertThat(project.state()).isEqualTo(new Faulted(error));
    }

    @Test
    @DisplayName("a failed release can be tried again, until it succeeds")
    void releaseAgain() {
        locks.unavailable();
        ProjectLease lease = project.acquire().lease();
        for (int i = 0; i < 2; i++) {
            file.failNextDelete(new IOException("the disk is gone"));
            ProjectLockException error = catchThrowableOfType(ProjectLockException.class, () -> project.release(lease));
            assertThat(error.retryable()).isTrue();
        }
        assertThat(catchThrowableOfType(ProjectLockException.class, () -> project.renew(lease))
                        .failure())
                .isEqualTo(ProjectLockFailure.LEASE_MISMATCH);
        project.release(lease);
        assertThat(probe.awaitProject(Released.class).lease()).isEqualTo(lease);
        assertThat(file.text()).isEmpty();
        assertThat(project.state()).isEqualTo(new Idle());
        assertThat(catchThrowableOfType(ProjectLockException.class, () -> project.release(lease))
                        .failure())
                .isEqualTo(ProjectLockFailure.LEASE_MISMATCH);
    }

    @Test
    @DisplayName("a release that is tried again leaves the record of the next holder alone")
    void releaseAgainAfterAnother() {
        ProjectLease lease = project.acquire().lease();
        file.failNextDelete(new IOException("the disk is gone"));
        assertThatThrownBy(() -> project.release(lease)).isInstanceOf(ProjectLockException.class);
        UUID other = UUID.randomUUID();
        file.holding(other, clock.instant().plusSeconds(10));
        project.release(lease);
        assertThat(file.text().orElseThrow()).contains(other.toString());
    }

    @Test
    @DisplayName("a renewal never moves the end back, unless the wall clock was set back")
    void renewalNeverShortens() {
        ProjectLease lease = project.acquire().lease();
        ProjectLease same = project.renew(lease, Duration.ofSeconds(1));
        assertThat(same).isEqualTo(lease);
        assertThat(file.text().orElseThrow())
                .contains(Long.toString(lease.expiresAt().toEpochMilli()));
        clock.advance(Duration.ofSeconds(14));
        assertThat(project.isHeld(lease)).isTrue();
        clock.jumpWallClock(Duration.ofHours(-1));
        assertThat(project.renew(lease).expiresAt()).isEqualTo(clock.instant().plusSeconds(15));
    }

    @Test
    @DisplayName("a wall clock that was set back by milliseconds doesn't shorten a lease that is renewed for less")
    void smallStepBack() {
        ProjectLease lease = project.acquire().lease();
        clock.jumpWallClock(Duration.ofMillis(-2));
        assertThat(project.renew(lease, Duration.ofSeconds(1)).expiresAt())
                .isEqualTo(clock.instant().plusSeconds(15));
        clock.advance(Duration.ofSeconds(14));
        assertThat(project.isHeld(lease)).isTrue();
    }

    @Test
    @DisplayName("TC-07 the end is noticed, and the project must be acquired again")
    void expiry() {
        ProjectLease lease = project.acquire().lease();
        clock.advance(Duration.ofSeconds(15));
        assertThat(probe.awaitProject(Expired.class).lease()).isEqualTo(lease);
        Awaitility.await().until(() -> project.state() instanceof Idle);
        ProjectLockException error = catchThrowableOfType(ProjectLockException.class, () -> project.release(lease));
        assertThat(error.failure()).isEqualTo(ProjectLockFailure.LEASE_EXPIRED);
        ProjectLease next = project.acquire().lease();
        assertThat(next.leaseId()).isNotEqualTo(lease.leaseId());
        assertThat(next.token()).isGreaterThan(lease.token());
        assertThat(probe.projectEventTypes().stream().filter("expired"::equals)).hasSize(1);
    }
}
