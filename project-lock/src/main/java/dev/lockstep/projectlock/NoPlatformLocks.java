package dev.lockstep.projectlock;

import java.util.Optional;

/** A platform without locks. */
enum NoPlatformLocks implements PlatformLocks {
    INSTANCE;

    @Override
    public Optional<PlatformLock> tryLock() throws PlatformLockUnavailableException {
        throw new PlatformLockUnavailableException("The platform's lock is switched off", null);
    }

    @Override
    public Optional<PlatformLock> steal() throws PlatformLockUnavailableException {
        return tryLock();
    }
}
