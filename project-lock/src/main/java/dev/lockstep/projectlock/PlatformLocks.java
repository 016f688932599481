package dev.lockstep.projectlock;

import java.util.Optional;

/**
 * The platform's own lock of a project, which goes with the process that holds it. It is asked only inside a transaction of
 * {@link LeaseFiles}. Tests script one.
 */
public interface PlatformLocks {
    /** Takes the lock, unless someone has it. */
    Optional<PlatformLock> tryLock() throws PlatformLockUnavailableException;

    /** Takes the lock from someone whose lease is over, where the platform can do that. */
    Optional<PlatformLock> steal() throws PlatformLockUnavailableException;

    /** Whether someone who has lost the lock without giving it back must be dead. */
    default boolean provesDeath() {
        return true;
    }

    /** The lock, held. */
    @FunctionalInterface
    interface PlatformLock {
        /** Gives it back; a second call does nothing. */
        void release();
    }
}
