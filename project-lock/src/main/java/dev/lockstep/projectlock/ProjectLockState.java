package dev.lockstep.projectlock;

import java.time.Duration;

/**
 * Where a project lock stands. Each state has a method for every way out of it and for no other, so a transition that is not
 * in the diagram of {@code docs/project-lock.md} doesn't compile.
 */
public sealed interface ProjectLockState {
    /** Nothing is held or asked for. */
    record Idle() implements ProjectLockState {
        Requesting acquire() {
            return new Requesting(1);
        }
    }

    /** On the way to the project. */
    sealed interface Acquiring extends ProjectLockState {
        /** Which attempt this is, counted from 1. */
        int attempt();

        /** The state when the acquire ends without the project. */
        default Faulted failed(ProjectLockException error) {
            return new Faulted(error);
        }
    }

    /** The platform's lock and the record are asked for. */
    record Requesting(int attempt) implements Acquiring {
        HoldingPlatform granted(ProjectLease lease) {
            return new HoldingPlatform(lease);
        }

        Switching unavailable() {
            return new Switching(attempt);
        }

        BackingOff busy(Duration delay) {
            return new BackingOff(attempt, delay);
        }
    }

    /** The platform's lock can't be used; the record alone is asked for. */
    record Switching(int attempt) implements Acquiring {
        HoldingFallback created(ProjectLease lease) {
            return new HoldingFallback(lease);
        }

        BackingOff busy(Duration delay) {
            return new BackingOff(attempt, delay);
        }
    }

    /** Another holds the project, or its file could not be used: a pause before the next attempt. */
    record BackingOff(int attempt, Duration delay) implements Acquiring {
        Requesting retry() {
            return new Requesting(attempt + 1);
        }
    }

    /** The project is held. */
    sealed interface Holding extends ProjectLockState {
        /** The lease, as of its last renewal. */
        ProjectLease lease();

        /** The same state with a renewed lease. */
        Holding with(ProjectLease renewed);

        /** The state while the lease is being extended. */
        default Renewing renew() {
            return new Renewing(this);
        }

        /** The state while the project is being released. */
        default Releasing release(ReleaseReason reason) {
            return new Releasing(lease(), reason);
        }
    }

    /** The project is held by the record and the platform's lock. */
    record HoldingPlatform(ProjectLease lease) implements Holding {
        @Override
        public HoldingPlatform with(ProjectLease renewed) {
            return new HoldingPlatform(renewed);
        }
    }

    /** The project is held by the record alone. */
    record HoldingFallback(ProjectLease lease) implements Holding {
        @Override
        public HoldingFallback with(ProjectLease renewed) {
            return new HoldingFallback(renewed);
        }
    }

    /** The lease is being extended. */
    record Renewing(Holding from) implements ProjectLockState {
        Holding renewed(ProjectLease lease) {
            return from.with(lease);
        }

        /** The old lease stays as it was. */
        Holding failed() {
            return from;
        }

        Releasing lost() {
            return new Releasing(from.lease(), ReleaseReason.EXPIRED);
        }
    }

    /** The project is being released. */
    record Releasing(ProjectLease lease, ReleaseReason reason) implements ProjectLockState {
        Idle done() {
            return new Idle();
        }

        Faulted failed(ProjectLockException error) {
            return new Faulted(error);
        }
    }

    /** The last acquire or release failed. Nothing is held; the next acquire begins anew, and a failed release can be tried again. */
    record Faulted(ProjectLockException error) implements ProjectLockState {
        Idle released() {
            return new Idle();
        }
    }
}
