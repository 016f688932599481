package dev.lockstep.projectlock;

import java.time.Duration;

/** Something that happened to a project lock. */
public sealed interface ProjectLockEvent {
    /** The stable text form of what it is, such as {@code switch-to-fallback}. */
    String type();

    /** The project is held. */
    record Acquired(ProjectLease lease) implements ProjectLockEvent {
        @Override
        public String type() {
            return "acquired";
        }
    }

    /** An acquire has ended without the project. */
    record AcquireFailed(ProjectLockException error, int attempt) implements ProjectLockEvent {
        @Override
        public String type() {
            return "acquire-failed";
        }
    }

    /** The lease lasts longer now. */
    record Renewed(ProjectLease lease) implements ProjectLockEvent {
        @Override
        public String type() {
            return "renewed";
        }
    }

    /** The lease that was held here has ended, and was not released before. */
    record Expired(ProjectLease lease) implements ProjectLockEvent {
        @Override
        public String type() {
            return "expired";
        }
    }

    /** A record that no one could read, and that no one changed for one term, was taken for expired and replaced. */
    record UnreadableExpired(ProjectLockException error) implements ProjectLockEvent {
        @Override
        public String type() {
            return "expired";
        }
    }

    /** The project was released. */
    record Released(ProjectLease lease, ReleaseReason reason) implements ProjectLockEvent {
        @Override
        public String type() {
            return "released";
        }
    }

    /** The project could not be released as it should. */
    record ReleaseFailed(ProjectLease lease, ProjectLockException error) implements ProjectLockEvent {
        @Override
        public String type() {
            return "release-failed";
        }
    }

    /** The next attempt comes after a pause. */
    record Backoff(int attempt, Duration delay, ProjectLockException error) implements ProjectLockEvent {
        @Override
        public String type() {
            return "backoff";
        }
    }

    /** The platform's lock can't be used; the lease will rest on its file alone. */
    record SwitchToFallback(ProjectLockException error, int attempt) implements ProjectLockEvent {
        @Override
        public String type() {
            return "switch-to-fallback";
        }
    }
}
