package dev.lockstep.spring.locked;

import dev.lockstep.core.LockTimeoutException;

/** The locks of this method, and not those of one that it calls, were not acquired in time. Never leaves the interceptor. */
final class NotAcquired extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient LockTimeoutException timeout;

    NotAcquired(LockTimeoutException timeout) {
        super(null, timeout, false, false);
        this.timeout = timeout;
    }

    LockTimeoutException timeout() {
        return timeout;
    }
}
