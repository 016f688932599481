package dev.lockstep.projectlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.lockstep.projectlock.ProjectLockEvent.AcquireFailed;
import dev.lockstep.projectlock.ProjectLockEvent.ReleaseFailed;
import dev.lockstep.projectlock.ProjectLockState.Faulted;
import dev.lockstep.testkit.EventProbe;
import java.time.Duration;
import java.util.function.Predicate;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;

/** Everything a project lock tells of a failure, held against each other: what it throws, its events, its log, its state. */
final class Told implements AutoCloseable {
    final EventProbe events = new EventProbe();
    private final LogProbe log = new LogProbe();
    final ProjectLock lock;

    Told(ProjectLock lock) {
        this.lock = lock;
        lock.subscribe(events);
    }

    /** An acquire that must fail like this, and leave the lock faulted. */
    ProjectLockException acquireFails(ProjectLockFailure expected, ThrowingCallable acquire) {
        ProjectLockException error = fails("acquire", expected, acquire);
        awaitEvent(event -> event instanceof AcquireFailed failed && failed.error() == error);
        assertThat(lock.state()).isEqualTo(new Faulted(error));
        return error;
    }

    /** An acquire in a thread with an interrupt, which must end it and stay. */
    void acquireFailsInterrupted(ThrowingCallable acquire) {
        ProjectLockException error = catchThrowableOfType(ProjectLockException.class, acquire);
        assertThat(Thread.interrupted()).as("the interrupt is kept").isTrue();
        acquireFails(ProjectLockFailure.ABORTED, () -> {
            throw error;
        });
    }

    /** A release that must fail like this. */
    ProjectLockException releaseFails(ProjectLockFailure expected, ThrowingCallable release) {
        ProjectLockException error = fails("release", expected, release);
        awaitEvent(event -> event instanceof ReleaseFailed failed && failed.error() == error);
        return error;
    }

    /** A call that must fail like this, and say so in the log as loud as the source wants. */
    ProjectLockException fails(String verb, ProjectLockFailure expected, ThrowingCallable call) {
        ProjectLockException error = catchThrowableOfType(ProjectLockException.class, call);
        assertThat(error).as("what the call throws").isNotNull();
        assertThat(error.failure()).as(error.getMessage()).isEqualTo(expected);
        assertThat(error.retryable()).isEqualTo(isRetryable(expected));
        assertLogged(verb, error);
        return error;
    }

    void assertLogged(String verb, ProjectLockException error) {
        String end = ": " + verb + ": " + error.failure().text() + ": " + error.getMessage();
        assertThat(log.lines()).anyMatch(line -> line.startsWith(level(error.failure()) + " ") && line.endsWith(end));
    }

    /** Whether something went to the log, at this level, with these words. */
    boolean isLogged(String level, String words) {
        return log.lines().stream().anyMatch(line -> line.startsWith(level + " ") && line.contains(words));
    }

    void awaitEvent(Predicate<ProjectLockEvent> fits) {
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> events.projectEvents().stream().anyMatch(fits));
    }

    long count(String type) {
        return events.projectEventTypes().stream().filter(type::equals).count();
    }

    /** The source's table, written out once more: it is what these tests are about. */
    private static String level(ProjectLockFailure failure) {
        return switch (failure) {
            case ABORTED -> "INFO";
            case PRIMARY_UNAVAILABLE, FALLBACK_READ_FAILED, LEASE_EXPIRED, ACQUIRE_TIMEOUT -> "WARN";
            case FALLBACK_OPEN_FAILED, FALLBACK_WRITE_FAILED, LEASE_MISMATCH -> "ERROR";
        };
    }

    private static boolean isRetryable(ProjectLockFailure failure) {
        return switch (failure) {
            case PRIMARY_UNAVAILABLE, FALLBACK_READ_FAILED, FALLBACK_WRITE_FAILED, ACQUIRE_TIMEOUT -> true;
            case ABORTED, FALLBACK_OPEN_FAILED, LEASE_MISMATCH, LEASE_EXPIRED -> false;
        };
    }

    @Override
    public void close() {
        lock.close();
        log.close();
    }
}
