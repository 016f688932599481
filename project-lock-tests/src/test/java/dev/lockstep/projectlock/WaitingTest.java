package dev.lockstep.projectlock;

import static dev.lockstep.projectlock.ProjectLockFailure.ACQUIRE_TIMEOUT;
import static dev.lockstep.projectlock.ProjectLockFailure.FALLBACK_READ_FAILED;
import static dev.lockstep.projectlock.ProjectLockFailure.FALLBACK_WRITE_FAILED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.RetryPolicy;
import dev.lockstep.projectlock.ProjectLockEvent.AcquireFailed;
import dev.lockstep.projectlock.ProjectLockEvent.Acquired;
import dev.lockstep.projectlock.ProjectLockEvent.Backoff;
import dev.lockstep.testkit.InMemoryOpfsFile;
import dev.lockstep.testkit.MockNavigatorLocks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("waiting for a project")
class WaitingTest {
    private final SteppedClock clock = new SteppedClock();
    private final InMemoryOpfsFile file = new InMemoryOpfsFile();
    private final UUID holder = UUID.randomUUID();
    private final Instant until = Instant.ofEpochMilli(clock.millis()).plusSeconds(14);
    private ProjectLock lock;
    private Told told;

    @BeforeEach
    void open() {
        lock = ProjectLock.at(Path.of("project"))
                .clock(clock)
                .leaseFiles(file)
                .platformLocks(new MockNavigatorLocks())
                .open();
        told = new Told(lock);
        file.holding(holder, until);
    }

    @AfterEach
    void close() {
        told.close();
        clock.close();
    }

    private List<Backoff> pauses() {
        return told.events.projectEvents().stream()
                .filter(Backoff.class::isInstance)
                .map(Backoff.class::cast)
                .toList();
    }

    private List<Long> delays() {
        return pauses().stream().map(pause -> pause.delay().toMillis()).toList();
    }

    @Test
    @DisplayName("takes 5 seconds by default, with pauses that double and a last one cut to the time left")
    void defaults() {
        long begin = clock.millis();
        told.acquireFails(ACQUIRE_TIMEOUT, () -> lock.acquire());
        assertThat(clock.millis() - begin).isEqualTo(5_000);
        assertThat(delays()).containsExactly(200L, 400L, 800L, 1_600L, 2_000L);
        assertThat(pauses().stream().map(Backoff::attempt)).containsExactly(1, 2, 3, 4, 5);
        assertThat(told.events.awaitProject(AcquireFailed.class).attempt())
                .as("one more attempt at the very end")
                .isEqualTo(6);
    }

    @Test
    @DisplayName("ends with the holder's lease and its end in the message, and the project's place")
    void message() {
        ProjectLockException error = told.acquireFails(ACQUIRE_TIMEOUT, () -> lock.acquire());
        assertThat(error)
                .hasMessageContaining("project")
                .hasMessageContaining(holder.toString())
                .hasMessageContaining(until.toString())
                .hasMessageContaining("Try again");
    }

    @Test
    @DisplayName("succeeds with the attempt at the very end")
    void atTheEnd() {
        file.holding(holder, Instant.ofEpochMilli(clock.millis()).plusSeconds(5));
        assertThat(lock.acquire().didFallback()).isFalse();
        told.events.awaitProject(Acquired.class);
        assertThat(delays()).hasSize(5);
    }

    @Test
    @DisplayName("a pause is never longer than 5 seconds, and attempts are not limited")
    void unlimited() {
        file.holding(holder, Instant.ofEpochMilli(clock.millis()).plus(Duration.ofMinutes(9)));
        told.acquireFails(
                ACQUIRE_TIMEOUT, () -> lock.acquire(AcquireOptions.defaults().within(Duration.ofSeconds(14))));
        assertThat(delays()).containsExactly(200L, 400L, 800L, 1_600L, 3_200L, 5_000L, 2_800L);
    }

    @Test
    @DisplayName("a hundred attempts are made where the time allows them")
    void hundredAttempts() {
        AcquireOptions often = AcquireOptions.defaults()
                .retrying(RetryPolicy.exponential(Duration.ofMillis(10), 1, Duration.ofMillis(10)))
                .within(Duration.ofSeconds(1));
        told.acquireFails(ACQUIRE_TIMEOUT, () -> lock.acquire(often));
        assertThat(told.events.awaitProject(AcquireFailed.class).attempt()).isEqualTo(101);
    }

    @Test
    @DisplayName("ends when the attempts are used up, with the last error")
    void attempts() {
        AcquireOptions thrice = AcquireOptions.defaults()
                .retrying(AcquireOptions.defaults().retry().withAttempts(3));
        told.acquireFails(ACQUIRE_TIMEOUT, () -> lock.acquire(thrice));
        assertThat(delays()).containsExactly(200L, 400L);
        assertThat(told.events.awaitProject(AcquireFailed.class).attempt()).isEqualTo(3);
    }

    @Test
    @DisplayName("the error in the end is that of the last attempt, not of an earlier one")
    void lastError() {
        AcquireOptions twice = AcquireOptions.defaults()
                .retrying(AcquireOptions.defaults().retry().withAttempts(2));
        file.failNextRead(new IOException("Input/output error"));
        told.acquireFails(ACQUIRE_TIMEOUT, () -> lock.acquire(twice));
        assertThat(pauses().get(0).error().failure()).isEqualTo(FALLBACK_READ_FAILED);
        told.assertLogged("acquire", pauses().get(0).error());
    }

    @Test
    @DisplayName("no attempt begins after the retry policy's own time")
    void policyTime() {
        AcquireOptions brief = AcquireOptions.defaults()
                .retrying(AcquireOptions.defaults().retry().within(Duration.ofSeconds(1)));
        long begin = clock.millis();
        told.acquireFails(ACQUIRE_TIMEOUT, () -> lock.acquire(brief));
        assertThat(clock.millis() - begin).isEqualTo(1_000);
    }

    @Test
    @DisplayName("gets over a read and a write that fail once")
    void transientFaults() {
        file.removed().failNextRead(new IOException("Input/output error"));
        file.failNextWrite(new IOException("No space left on device"));
        lock.acquire();
        told.events.awaitProject(Acquired.class);
        assertThat(pauses().stream().map(pause -> pause.error().failure()))
                .containsExactly(FALLBACK_READ_FAILED, FALLBACK_WRITE_FAILED);
    }

    @Test
    @DisplayName("not at all: a single attempt, without a pause")
    void notAtAll() {
        told.acquireFails(ACQUIRE_TIMEOUT, () -> lock.acquire(ProjectOnDisk.ONCE));
        assertThat(told.events.projectEventTypes()).containsExactly("acquire-failed");
    }
}
