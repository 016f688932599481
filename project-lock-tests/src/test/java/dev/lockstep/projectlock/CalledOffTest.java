package dev.lockstep.projectlock;

import static dev.lockstep.projectlock.ProjectLockFailure.ABORTED;
import static dev.lockstep.projectlock.ProjectOnDisk.ONCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import dev.lockstep.projectlock.ProjectLockEvent.Released;
import dev.lockstep.projectlock.ProjectLockState.BackingOff;
import dev.lockstep.projectlock.ProjectLockState.Faulted;
import dev.lockstep.projectlock.ProjectLockState.Idle;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("an acquire that is called off")
class CalledOffTest {
    private final Machine machine = new Machine();
    private final StateTrail trail = new StateTrail();
    private final AbortSignal signal = new AbortSignal();
    private final AcquireOptions abortable = AcquireOptions.defaults().abortedBy(signal);
    private ProjectLock lock;
    private Told told;

    @BeforeEach
    void open() {
        lock = machine.keep(machine.builder().leaseFiles(trail.through(machine.file)));
        trail.follow(lock);
        told = new Told(lock);
    }

    @AfterEach
    void close() {
        told.close();
        machine.close();
        assertThat(Thread.interrupted()).as("an interrupt left behind").isFalse();
    }

    private void assertNothingHeld() {
        assertThat(machine.file.text()).isEmpty();
        assertThat(machine.platform.isHeld()).isFalse();
        assertThat(told.events.projectEventTypes()).containsExactly("acquire-failed");
    }

    @Test
    @DisplayName("before it began: asks for nothing")
    void before() {
        signal.abort();
        told.acquireFails(ABORTED, () -> lock.acquire(abortable));
        assertThat(machine.platform.requests()).isZero();
        assertNothingHeld();
    }

    @Test
    @DisplayName("at the moment of the grant: gives the grant back")
    void atTheGrant() {
        trail.whenAsked(signal::abort);
        told.acquireFails(ABORTED, () -> lock.acquire(abortable));
        assertNothingHeld();
    }

    @Test
    @DisplayName("at the moment of a refusal: says so, though there would be no other attempt")
    void atTheRefusal() {
        machine.holder().acquire();
        trail.whenAsked(signal::abort);
        told.acquireFails(ABORTED, () -> lock.acquire(abortable.within(Duration.ZERO)));
        assertThat(told.count("backoff")).isZero();
    }

    @Test
    @DisplayName("when the platform's lock turns out to be unavailable: never continues with the file")
    void atTheSwitch() {
        machine.platform.unavailable();
        trail.whenAsked(signal::abort);
        told.acquireFails(ABORTED, () -> lock.acquire(abortable));
        assertNothingHeld();
    }

    @Test
    @DisplayName("after the grant: changes nothing for the lease, and ends the next acquire with that signal")
    void after() {
        ProjectLease lease = lock.acquire(abortable).lease();
        signal.abort();
        assertThat(lock.isHeld(lease)).isTrue();
        lock.release(lease);
        told.acquireFails(ABORTED, () -> lock.acquire(abortable));
        lock.acquire(ONCE);
    }

    @Test
    @DisplayName("by an interrupt before it began: keeps the interrupt")
    void interruptedBefore() {
        Thread.currentThread().interrupt();
        told.acquireFailsInterrupted(() -> lock.acquire());
        assertThat(machine.platform.requests()).isZero();
    }

    @Test
    @DisplayName("by an interrupt while it waits: ends at once and keeps the interrupt")
    void interruptedWhileWaiting() {
        machine.holder().acquire();
        Thread waiting = Thread.currentThread();
        CompletableFuture<Void> interrupting = CompletableFuture.runAsync(() -> {
            Awaitility.await().until(() -> lock.state() instanceof BackingOff);
            waiting.interrupt();
        });
        told.acquireFailsInterrupted(() -> lock.acquire());
        interrupting.join();
        assertThat(machine.file.text()).as("the holder's record").isPresent();
    }

    @Test
    @DisplayName("does not keep a thread with an interrupt from renewing and releasing, on real files")
    void renewAndReleaseInterrupted(@TempDir Path temporary) {
        ProjectOnDisk project = new ProjectOnDisk(temporary);
        try (ProjectLock real = ProjectLock.open(project.directory)) {
            ProjectLease lease = real.acquire().lease();
            Thread.currentThread().interrupt();
            ProjectLease renewed = real.renew(lease);
            real.release(renewed);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(real.state()).isEqualTo(new Idle());
            assertThat(project.record()).doesNotExist();
        }
    }

    @Test
    @DisplayName("by close() while it waits: ends at once, and the lock can't be used any more")
    void closedWhileWaiting() {
        machine.holder().acquire();
        CompletableFuture<ProjectLockException> waiting =
                CompletableFuture.supplyAsync(() -> told.fails("acquire", ABORTED, () -> lock.acquire()));
        Awaitility.await().until(() -> lock.state() instanceof BackingOff);
        lock.close();
        ProjectLockException error = waiting.join();
        assertThat(lock.state()).isEqualTo(new Faulted(error));
        assertClosed();
    }

    @Test
    @DisplayName("by close() while the project is held: gives it back, once")
    void closedWhileHolding() {
        ProjectLease lease = lock.acquire().lease();
        lock.close();
        lock.close();
        assertThat(machine.file.text()).isEmpty();
        assertThat(machine.platform.isHeld()).isFalse();
        assertThat(lock.isHeld(lease)).isFalse();
        assertThat(told.events.awaitProject(Released.class).reason()).isEqualTo(ReleaseReason.ABORTED);
        assertThat(told.count("released")).isEqualTo(1);
        assertClosed();
    }

    @Test
    @DisplayName("by close() after the lease ran out: leaves the next holder alone")
    void closedTooLate() {
        lock.acquire();
        machine.clock.advance(Duration.ofSeconds(15));
        ProjectLock other = machine.holder();
        ProjectLease next = other.acquire(ONCE).lease();
        lock.close();
        assertThat(other.isHeld(next)).isTrue();
        assertThat(machine.file.text().orElseThrow()).contains(next.leaseId().toString());
        assertThat(told.count("released")).isZero();
    }

    private void assertClosed() {
        assertThatThrownBy(() -> lock.acquire())
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED))
                .hasMessageContaining("Open another");
    }
}
