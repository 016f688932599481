package dev.lockstep.projectlock;

import dev.lockstep.core.Locks;
import dev.lockstep.core.spi.EventStream;
import dev.lockstep.projectlock.ProjectLockEvent.AcquireFailed;
import dev.lockstep.projectlock.ProjectLockEvent.Backoff;
import dev.lockstep.projectlock.ProjectLockEvent.Expired;
import dev.lockstep.projectlock.ProjectLockEvent.ReleaseFailed;
import dev.lockstep.projectlock.ProjectLockEvent.SwitchToFallback;
import dev.lockstep.projectlock.ProjectLockEvent.UnreadableExpired;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Says what happens: as events, and failures also in the log, as loud as their kind demands. */
final class LockReporter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProjectLock.class);

    private final String project;
    private final EventStream<ProjectLockEvent> events = new EventStream<>("lockstep-project-events");

    LockReporter(Path project) {
        this.project = project.toString();
    }

    Locks.Subscription subscribe(ProjectLockListener listener) {
        return events.subscribe(listener::on);
    }

    void tell(ProjectLockEvent event) {
        LOG.debug("{}: {}", project, event);
        events.publish(event);
    }

    ProjectLockException acquireFailed(ProjectLockException error, int attempt) {
        log("acquire", error);
        tell(new AcquireFailed(error, attempt));
        return error;
    }

    ProjectLockException releaseFailed(ProjectLease lease, ProjectLockException error) {
        log("release", error);
        tell(new ReleaseFailed(lease, error));
        return error;
    }

    /** The event that the lease has expired was reported before. */
    ProjectLockException releaseTooLate(ProjectLockException error) {
        log("release", error);
        return error;
    }

    ProjectLockException renewFailed(ProjectLockException error) {
        log("renew", error);
        return error;
    }

    void switching(ProjectLockException error, int attempt) {
        log("acquire", error);
        tell(new SwitchToFallback(error, attempt));
    }

    /** Pauses come with contention and say nothing alarming, unless the files are at fault. */
    void backingOff(Backoff backoff) {
        if (backoff.error().failure() != ProjectLockFailure.ACQUIRE_TIMEOUT) {
            log("acquire", backoff.error());
        }
        tell(backoff);
    }

    void replaced(ProjectLockException unreadable) {
        log("acquire", unreadable);
        tell(new UnreadableExpired(unreadable));
    }

    void expired(ProjectLease lease) {
        LOG.warn("{}: the lease {} has expired, and was not released before", project, lease.leaseId());
        tell(new Expired(lease));
    }

    /** With a stack trace only where something is broken: a platform without locks would show it with every acquire. */
    private void log(String verb, ProjectLockException error) {
        Level level = error.failure().level();
        LOG.atLevel(level)
                .setCause(level == Level.ERROR ? error.getCause() : null)
                .log("{}: {}: {}: {}", project, verb, error.failure().text(), error.getMessage());
    }

    @Override
    public void close() {
        events.close();
    }
}
