package dev.lockstep.jdbc;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A listener whose errors don't stop the provisioning. */
record GuardedListener(ProvisioningListener listener) implements ProvisioningListener {
    private static final Logger LOG = LoggerFactory.getLogger(GuardedListener.class);

    @Override
    public void progress(ProvisioningProgress progress) {
        guard(() -> listener.progress(progress));
    }

    @Override
    public void waiting(Duration waited) {
        guard(() -> listener.waiting(waited));
    }

    private static void guard(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException e) {
            LOG.warn("A listener of provisioning failed", e);
        }
    }
}
