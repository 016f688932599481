package dev.lockstep.projectlock;

import java.util.Optional;

/**
 * The platform's own lock of a project, which goes with the process that holds it. It is asked only inside a transaction of
 * {@link LeaseFiles}. Tests script one.
 */
public interface PlatformLocks {
    /** Acquires the lock, unless it is held. */
    Optional<PlatformLock> tryLock() throws PlatformLockUnavailableException;

    /** Takes the lock from a holder whose lease has expired, where the platform can do that. */
    Optional<PlatformLock> steal() throws PlatformLockUnavailableException;

    /** Whether a holder that has lost the lock without releasing it must be dead. */
    default boolean provesDeath() {
        return true;
    }

    /** The lock, held. */
    @FunctionalInterface
    interface PlatformLock {
        /** Releases it; a second call does nothing. */
        void release();
    }
}
