package dev.lockstep.projectlock;

import static dev.lockstep.projectlock.ProjectLockFailure.LEASE_EXPIRED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.projectlock.ProjectLockEvent.Expired;
import dev.lockstep.projectlock.ProjectLockEvent.Released;
import dev.lockstep.projectlock.ProjectLockState.Idle;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("work under the project lock")
class WithLockTest {
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

    /** Waits until the thread that renews has read the clock for its next attempt. */
    private void awaitWatchParked() {
        Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> machine.clock.parked() == 1);
    }

    private void assertReleased(ReleaseReason reason) {
        assertThat(told.events.awaitProject(Released.class).reason()).isEqualTo(reason);
        assertThat(lock.state()).isEqualTo(new Idle());
        assertThat(machine.file.text()).isEmpty();
        assertThat(machine.platform.isHeld()).isFalse();
    }

    @Test
    @DisplayName("answers its result, and is held meanwhile")
    void result() {
        assertThat(lock.<String, RuntimeException>withLock(lease -> {
                    assertThat(lock.isHeld(lease)).isTrue();
                    return "saved";
                }))
                .isEqualTo("saved");
        assertReleased(ReleaseReason.COMPLETED);
    }

    @Test
    @DisplayName("that fails passes its checked exception on, and is released as aborted")
    void failure() {
        IOException failure = new IOException("the work's own");
        assertThatThrownBy(() -> lock.withLock(lease -> {
                    throw failure;
                }))
                .isSameAs(failure)
                .hasNoSuppressedExceptions();
        assertReleased(ReleaseReason.ABORTED);
    }

    @Test
    @DisplayName("that fails with an error passes it on, too")
    void error() {
        assertThatThrownBy(() -> lock.withLock(lease -> {
                    throw new StackOverflowError();
                }))
                .isInstanceOf(StackOverflowError.class);
        assertReleased(ReleaseReason.ABORTED);
    }

    @Test
    @DisplayName("that outlives its lease fails: it was not alone to the end")
    void outlived() {
        told.fails(
                "release",
                LEASE_EXPIRED,
                () -> lock.withLock(lease -> {
                    machine.clock.suspend(Duration.ofMinutes(1));
                    assertThat(lock.isHeld(lease)).isFalse();
                    return "saved";
                }));
        told.events.awaitProject(Expired.class);
        assertThat(told.count("expired")).isEqualTo(1);
        assertThat(told.count("released")).isZero();
    }

    @Test
    @DisplayName("that outlives its lease and fails throws its own failure, with the other one added")
    void outlivedAndFailed() {
        IOException failure = new IOException("the work's own");
        assertThatThrownBy(() -> lock.withLock(lease -> {
                    machine.clock.suspend(Duration.ofMinutes(1));
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(failure.getSuppressed())
                .singleElement()
                .isInstanceOfSatisfying(
                        ProjectLockException.class, e -> assertThat(e.failure()).isEqualTo(LEASE_EXPIRED));
    }

    @Test
    @DisplayName("whose project another holder acquired fails")
    void stolen() {
        told.fails(
                "release",
                LEASE_EXPIRED,
                () -> lock.withLock(lease -> {
                    machine.file.holding(
                            UUID.randomUUID(), machine.clock.instant().plusSeconds(15));
                    machine.clock.advance(Duration.ofSeconds(5));
                    return told.events.awaitProject(Expired.class);
                }));
        assertThat(machine.file.text()).as("someone else's record").isPresent();
    }

    @Test
    @DisplayName("has its lease renewed at a third of the term, for as long as it takes")
    void renewed() {
        AtomicReference<Instant> begun = new AtomicReference<>(Instant.EPOCH);
        lock.withLock(lease -> {
            begun.set(lease.expiresAt());
            for (int renewals = 1; renewals <= 10; renewals++) {
                machine.clock.advance(Duration.ofSeconds(5));
                int expected = renewals;
                Awaitility.await().until(() -> told.count("renewed") == expected);
                awaitWatchParked();
            }
            assertThat(lock.isHeld(lease)).isTrue();
            return "saved";
        });
        assertReleased(ReleaseReason.COMPLETED);
        assertThat(machine.clock.instant()).isAfter(begun.get());
    }

    @Test
    @DisplayName("continues when a renewal fails, which is tried again soon")
    void renewalFails() {
        lock.withLock(lease -> {
            machine.file.failNextWrite(new IOException("No space left on device"));
            machine.clock.advance(Duration.ofSeconds(5));
            Awaitility.await().until(() -> told.isLogged("ERROR", "renew: fallback-write-failed"));
            awaitWatchParked();
            machine.clock.advance(Duration.ofMillis(1_500));
            Awaitility.await().until(() -> told.count("renewed") == 1);
            return "saved";
        });
        assertReleased(ReleaseReason.COMPLETED);
    }

    @Test
    @DisplayName("has its lease renewed on real clocks and files")
    void renewedForReal(@TempDir Path project) {
        try (Told real = new Told(
                ProjectLock.at(project).term(Duration.ofSeconds(18)).open())) { // a standstill of 10 s does not end it
            real.lock.withLock(lease -> {
                Awaitility.await()
                        .atMost(Duration.ofMinutes(3))
                        .until(() -> Instant.now().isAfter(lease.expiresAt()));
                assertThat(real.lock.isHeld(lease)).isTrue();
                return "saved";
            });
            assertThat(real.events.awaitProject(Released.class).reason()).isEqualTo(ReleaseReason.COMPLETED);
        }
    }

    @Test
    @DisplayName("the end that an expired lease is said to have had is its last one")
    void lastEnd() {
        ProjectLockException error = told.fails(
                "release",
                LEASE_EXPIRED,
                () -> lock.withLock(lease -> {
                    machine.clock.advance(Duration.ofSeconds(5));
                    Awaitility.await().until(() -> told.count("renewed") == 1);
                    machine.clock.suspend(Duration.ofMinutes(1));
                    return "saved";
                }));
        assertThat(error).hasMessageContaining("2026-01-01T00:00:20Z");
    }
}
